import { faultsOf } from '../../faults-of.js'
import type { Fault } from '../../piece.js'
import { knownFields } from '../known-fields.js'
import {
  type HarperValleyMetadata,
  harperValleyMetadata,
  type HarperValleySegment,
  harperValleyTranscript,
} from './harper-valley-files.js'

const ACTORS: Readonly<Record<string, string>> = { agent: 'agent', caller: 'customer' }

/** A call record of the two files of a call, still to be checked like any other; or what is wrong with them. */
export function harperValleyRecord(
  metadata: unknown,
  transcript: unknown,
): { readonly record: unknown } | { readonly fault: Fault } {
  const call = harperValleyMetadata.safeParse(metadata)
  if (!call.success) return { fault: faultIn('', faultsOf(harperValleyMetadata, metadata)) }
  const segments = harperValleyTranscript.safeParse(transcript)
  if (!segments.success) return { fault: faultIn('transcript', faultsOf(harperValleyTranscript, transcript)) }
  return { record: recordOf(call.data, segments.data) }
}

function faultIn(file: string, faults: readonly Fault[] | undefined): Fault {
  const { path, message } = faults?.[0] ?? { path: '', message: 'is not valid' }
  return { path: file === '' || path.startsWith('[') ? `${file}${path}` : `${file}.${path}`, message }
}

function recordOf(call: HarperValleyMetadata, segments: readonly HarperValleySegment[]): unknown {
  const { sid, session, start_time_ms: start, end_time_ms: end, agent, caller } = call
  const seconds = end === undefined || end === null || end < start ? undefined : (end - start) / 1000
  return knownFields({
    session_id: sid,
    agent_name: agent.metadata.agent_name,
    created_dt: instantOf(start),
    // In this corpus customers of one bank call it, in the United States.
    interaction_direction: 'inbound',
    channel: 'phone',
    language_primary: 'en-US',
    customer_display_name: caller?.metadata?.['first and last name'] ?? undefined,
    session_metadata: knownFields({
      company_name: 'Harper Valley National Bank',
      audio_length_seconds: seconds,
      session,
      end_time: instantOf(end),
      agent_hangup_time: instantOf(agent.hangup_time_ms),
      caller_hangup_time: instantOf(caller?.hangup_time_ms),
      agent_speaker_id: agent.speaker_id,
      caller_speaker_id: caller?.speaker_id,
    }),
    talk_patterns: seconds === undefined ? undefined : { total_duration_s: seconds },
    transcript: segments.toSorted((a, b) => a.offset_ms - b.offset_ms).map(turnOf),
  })
}

function turnOf(segment: HarperValleySegment, turn: number): unknown {
  const { speaker_role: role, offset_ms: offset, duration_ms: duration, human_transcript: heard } = segment
  // Some segments begin just before the call's own start.
  const start = Math.max(0, offset)
  const end = duration === undefined || duration === null ? undefined : Math.max(start, offset + duration)
  return knownFields({
    turn,
    actor: ACTORS[role] ?? 'system',
    // What a person wrote down is better than what a machine heard; turns of nothing but a marker are kept.
    text: heard !== undefined && heard !== null && heard.trim() !== '' ? heard : (segment.transcript ?? ''),
    start_s: start / 1000,
    end_s: end === undefined ? undefined : end / 1000,
  })
}

function instantOf(milliseconds: number | null | undefined): string | undefined {
  if (milliseconds === undefined || milliseconds === null || Math.abs(milliseconds) > 8e15) return undefined
  return new Date(milliseconds).toISOString()
}
