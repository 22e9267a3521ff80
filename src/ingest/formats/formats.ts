import type { InputFile } from '../input-file.js'
import type { MapRule } from '../mapping/map-rule.js'
import { TURNS_TARGET } from '../mapping/map-targets.js'
import { amazonTranscribe } from './amazon-transcribe.js'
import { assemblyai } from './assemblyai.js'
import { azureSpeech } from './azure-speech.js'
import { callAnalytics } from './call-analytics.js'
import { callRecords } from './call-records.js'
import { ccai } from './ccai.js'
import { chatLog } from './chat-log.js'
import { contactLens } from './contact-lens.js'
import { csvCalls } from './csv-calls.js'
import { csvTurns } from './csv-turns.js'
import { deepgram } from './deepgram.js'
import { dialogflow } from './dialogflow.js'
import { dialogue } from './dialogue.js'
import { email } from './email.js'
import type { Format } from './format.js'
import { genesys } from './genesys.js'
import { gong } from './gong.js'
import { googleSpeech } from './google-speech.js'
import { harperValley } from './harper-valley.js'
import { intercom } from './intercom.js'
import { jsonTurns } from './json-turns.js'
import { openaiDiarized } from './openai-diarized.js'
import { otter } from './otter.js'
import { retell } from './retell.js'
import { rev } from './rev.js'
import { speechmatics } from './speechmatics.js'
import { srt } from './srt.js'
import { teamsMetadata } from './teams-metadata.js'
import { teams } from './teams.js'
import { twilio } from './twilio.js'
import { vapi } from './vapi.js'
import { vcon } from './vcon.js'
import { webvtt } from './webvtt.js'
import { whisperx } from './whisperx.js'
import { zendesk } from './zendesk.js'

/**
 * The formats import reads. Each knows its own files by what they hold and no other's: where a new one does not, the first
 * reads the file, and a test fails. A new format is a file beside this one and a line here.
 */
export const formats: readonly Format[] = [
  harperValley,
  genesys,
  contactLens,
  callAnalytics,
  amazonTranscribe,
  twilio,
  ccai,
  dialogflow,
  googleSpeech,
  azureSpeech,
  deepgram,
  assemblyai,
  speechmatics,
  rev,
  whisperx,
  openaiDiarized,
  gong,
  teams,
  teamsMetadata,
  vapi,
  retell,
  vcon,
  zendesk,
  intercom,
  chatLog,
  webvtt,
  srt,
  otter,
  email,
  dialogue,
  csvTurns,
  csvCalls,
  jsonTurns,
  callRecords,
]

/**
 * The format of a file; undefined where it is of none. JSON of no format (`isUnknown`) is read as call records, or as
 * turns where mappings say where those are.
 */
export function formatOf(
  file: InputFile,
  mapping: readonly MapRule[],
): { readonly format: Format | undefined; readonly isUnknown: boolean } {
  const namesTurns = mapping.some(({ target }) => target === TURNS_TARGET)
  const isJson = /^\s*[[{]/.test(file.head)
  if (namesTurns && isJson) return { format: jsonTurns, isUnknown: false }
  const format = formats.find(candidate => candidate.recognises(file))
  if (format !== undefined) return { format, isUnknown: false }
  return { format: isJson ? callRecords : undefined, isUnknown: true }
}

/** The format of that name. Throws for a name that is not in the list: callers check against it first. */
export function formatNamed(name: string): Format {
  const format = formats.find(candidate => candidate.name === name)
  if (format === undefined) throw new TypeError(`No import format named ${name}`)
  return format
}
