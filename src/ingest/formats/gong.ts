import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Role, Speech } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { directionOf, id, lasting, number, text } from './documents/fields.js'
import { instantMs, instantOf, milliseconds } from './documents/times.js'
import { missing } from './missing.js'

const monologue = z.object({
  speakerId: id,
  sentences: z.array(z.object({ start: milliseconds, end: milliseconds, text })),
})
const callAbout = z.object({
  metaData: z
    .object({
      id,
      title: text,
      started: instantMs,
      duration: number,
      primaryUserId: id,
      direction: text,
      language: text,
      url: text,
      workspaceId: id,
    })
    .nullish(),
  parties: z
    .array(z.object({ speakerId: id, userId: id, name: text, emailAddress: text, affiliation: text }))
    .nullish(),
})

/** What is read of the answers of /v2/calls/transcript and of /v2/calls/extensive, put together; the names are Gong's. */
const answer = z.object({
  callTranscripts: z.array(z.object({ callId: id, transcript: z.array(monologue).nullish() })),
  calls: z.array(callAbout).nullish(),
})
type About = z.output<typeof callAbout>

const ROLES: Readonly<Record<string, Role>> = { Internal: 'agent', External: 'customer' }

function tell({ callTranscripts, calls }: z.output<typeof answer>): readonly Told[] {
  const known = new Map(calls?.map(one => [one.metaData?.id, one]))
  return callTranscripts.map((call, index) => {
    const about = known.get(call.callId)
    const data = about?.metaData
    const parties = about?.parties
    const speakers = new Map(parties?.map(one => [one.speakerId, one]))
    const heard = new Set(call.transcript?.map(({ speakerId }) => speakerId))
    const host = parties?.find(
      ({ speakerId, userId }) => heard.has(speakerId) && userId !== undefined && userId === data?.primaryUserId,
    )
    return {
      at: `callTranscripts[${index}]`,
      document: { ...call, ...(data && { metaData: data, parties }) },
      speeches: (call.transcript ?? []).flatMap(one => speechesOf(one, speakers)),
      fields: {
        session_id: call.callId,
        ...(host !== undefined && { agent_id: host.userId, agent_name: host.name ?? host.emailAddress ?? host.userId }),
        created_dt: instantOf(data?.started),
        title: data?.title,
        channel: 'phone',
        interaction_direction: directionOf(data?.direction),
        language_primary: data?.language,
        talk_patterns: lasting(data?.duration),
      },
      metadata: { workspace_id: data?.workspaceId, url: data?.url, audio_length_seconds: data?.duration },
    }
  })
}

function speechesOf(
  { speakerId, sentences }: z.output<typeof monologue>,
  speakers: ReadonlyMap<string | undefined, NonNullable<About['parties']>[number]>,
): readonly Speech[] {
  const party = speakers.get(speakerId)
  const role = ROLES[party?.affiliation ?? '']
  return joinSpeeches(
    sentences.map(({ start, end, text: said }) => ({
      speaker: party?.name ?? party?.emailAddress ?? speakerId,
      role,
      agentId: role === 'agent' ? party?.userId : undefined,
      text: said ?? '',
      start,
      end,
    })),
  )
}

/** Gong's transcripts of calls, best together with what its API says of the calls. */
export const gong = documentFormat({
  name: 'gong',
  title: 'Gong call transcripts JSON, best with the calls and their parties beside them',
  page: {
    recognised: 'JSON with `callTranscripts`; several calls in a file',
    documented: ['https://gong.app.gong.io/settings/api/documentation'],
    agent:
      '`affiliation` of the parties, where the file holds the `calls` of /v2/calls/extensive too (`jq -s ".[0] * .[1]" transcripts.json calls.json`); else who greets first, or `--agent-speaker ID`',
    taken:
      '`callId` → session_id; of `calls`: names of the parties, `userId` → agent_id (of several of the company, `primaryUserId` where they speak, else who says most), `started`, `duration`, `direction`, `language`, title; workspace and address → session_metadata',
    lost: 'topics, trackers, scores, comments',
  },
  marks: [['callTranscripts']],
  schema: answer,
  tell,
  missing: {
    ...missing,
    agent_name: `${missing.agent_name}; or put the calls of /v2/calls/extensive into the file, which name the parties`,
  },
})
