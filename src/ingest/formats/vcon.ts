import { z } from 'zod'
import { joinSpeeches } from './conversation/join-speeches.js'
import type { Role, Speech } from './conversation/speech.js'
import { documentFormat, type Told } from './documents/document-format.js'
import { address, lasting, number, text } from './documents/fields.js'
import { earliest, instantMs, instantOf, seconds, since } from './documents/times.js'
import { missing } from './missing.js'
import { loadHtmlText } from './written/html-text.js'

const indices = z
  .union([z.number(), z.array(z.union([z.number(), z.array(z.number())]))])
  .nullish()
  .transform(value => (value === null || value === undefined ? [] : [value].flat(2)))

const party = z.object({ name: text, role: text, mailto: text, tel: text, uuid: text })
const dialog = z.object({
  type: text,
  start: instantMs,
  duration: seconds,
  parties: indices,
  originator: number,
  mediatype: text,
  mimetype: text,
  encoding: text,
  body: z.unknown().optional(),
  url: address,
})

/** What is read of a container; the names are those of the IETF draft. */
const container = z.object({
  vcon: text,
  uuid: text,
  created_at: instantMs,
  subject: text,
  parties: z.array(party),
  dialog: z.array(dialog).nullish(),
  analysis: z
    .array(
      z.object({
        type: text,
        dialog: indices,
        vendor: text,
        schema: text,
        encoding: text,
        body: z.unknown().optional(),
      }),
    )
    .nullish(),
})
type Container = z.output<typeof container>
type Party = z.output<typeof party>
type Analysis = NonNullable<Container['analysis']>[number]

/** A turn of a transcript in an analysis; drafts and vendors have several names for the same. */
const turn = z.object({
  text,
  transcript: text,
  message: text,
  speaker: z.union([z.string(), z.number()]).nullish(),
  party: z.union([z.string(), z.number()]).nullish(),
  start: seconds,
  end: seconds,
})
const turns = z.array(turn)
const transcriptBody = z.union([
  turns,
  z.object({ segments: turns }).transform(({ segments }) => segments),
  z.object({ transcript: turns }).transform(({ transcript }) => transcript),
  z.object({ utterances: turns }).transform(({ utterances }) => utterances),
  z.object({ turns }).transform(body => body.turns),
])

const ROLES: Readonly<Record<string, Role>> = {
  agent: 'agent',
  'thirdparty agent': 'agent',
  supervisor: 'agent',
  sme: 'agent',
  bot: 'bot',
  virtual_agent: 'bot',
  customer: 'customer',
  caller: 'customer',
  contact: 'customer',
}
const WRITTEN = /^(?:text\/|message\/)/

function tell(call: Container, htmlText: (html: string) => string): Told {
  const { parties, subject } = call
  const all = call.dialog ?? []
  const transcripts = (call.analysis ?? []).filter(({ type }) => type === 'transcript')
  const texts = all.filter(({ type, body }) => type === 'text' && typeof body === 'string')
  if (transcripts.length === 0 && texts.length === 0) {
    return 'holds neither text in its dialog nor an analysis of type transcript: transcribe its recordings first'
  }
  const began = earliest(all.map(({ start }) => start)) ?? call.created_at
  const written = texts.map(
    ({ start, duration: length, originator, parties: of, body, mediatype, mimetype }): Speech => {
      const who = parties[originator ?? of[0] ?? -1]
      const at = since(began, start)
      const said = String(body)
      return {
        ...by(who),
        text: (mediatype ?? mimetype)?.startsWith('text/html') === true ? htmlText(said) : said,
        start: at,
        end: at === undefined || length === undefined ? undefined : at + length,
      }
    },
  )
  const heard = texts.length > 0 ? [] : transcripts.flatMap(one => spoken(one, call, began))
  if (texts.length === 0 && heard.length === 0) return 'holds a transcript in a form that import does not know'
  const own = ownFields(call.analysis)
  // What is written has no length but the time of its last line.
  const latest = all.reduce<number | undefined>((end, { start, duration: length }) => {
    return length === undefined ? end : Math.max(end ?? 0, (since(began, start) ?? 0) + length)
  }, undefined)
  const ofRole = (wanted: Role) => parties.filter(({ role }) => ROLES[role?.toLowerCase() ?? ''] === wanted)
  const [customer] = ofRole('customer')
  const speeches = [...written, ...heard]
  const [agent, another] = speeches.some(({ role }) => role !== undefined) ? [] : ofRole('agent')
  return {
    speeches,
    fields: {
      session_id: call.uuid,
      created_dt: instantOf(began),
      title: subject,
      channel: channelOf(all),
      customer_display_name: customer?.name,
      // Where turns say only a number of who speaks, the one agent there is spoke as the agent.
      agent_name: another === undefined ? agent?.name : undefined,
      recording_url: all.find(({ type, url }) => type === 'recording' && url !== undefined)?.url,
      talk_patterns: lasting(latest),
      ...own.fields,
    },
    metadata: {
      vcon_uuid: own.fields === NONE ? call.uuid : undefined,
      ...own.metadata,
    },
  }
}

function by(who: Party | undefined): Pick<Speech, 'speaker' | 'role'> {
  const role = ROLES[who?.role?.toLowerCase() ?? '']
  return { speaker: who?.name ?? who?.mailto?.replace(/^mailto:/, '') ?? who?.tel ?? role ?? who?.uuid, role }
}

function spoken(
  { body, encoding, dialog: of }: Analysis,
  { parties, dialog: all }: Container,
  began: number | undefined,
): readonly Speech[] {
  const parsed = transcriptBody.safeParse(encoding === 'json' && typeof body === 'string' ? parsedJson(body) : body)
  if (!parsed.success) return []
  // Times count from the recording that was transcribed.
  const offset = since(began, all?.[of[0] ?? 0]?.start) ?? 0
  const pieces = parsed.data.map(({ party: index, speaker, text: said, transcript, message, start, end }): Speech => {
    // A party is its place in the list; a number for a speaker is what a diarization counted.
    const place = index ?? speaker
    const who = typeof index === 'number' ? parties[index] : parties.find(({ name }) => name === place)
    const known = by(who)
    return {
      ...known,
      speaker: known.speaker ?? (place === null || place === undefined ? undefined : String(place)),
      text: said ?? transcript ?? message ?? '',
      start: start === undefined ? undefined : start + offset,
      end: end === undefined ? undefined : end + offset,
    }
  })
  return joinSpeeches(pieces)
}

function channelOf(all: readonly z.output<typeof dialog>[]): string {
  const types = all.map(({ mediatype, mimetype }) => mediatype ?? mimetype ?? '')
  if (types.some(type => type.startsWith('message/'))) return 'email'
  if (all.some(({ type }) => type === 'recording')) return 'phone'
  return all.some(({ type, mediatype = '' }) => type === 'text' && WRITTEN.test(mediatype)) ? 'chat' : 'phone'
}

const NONE: object = {}

/** What our own export adds as an analysis: the whole record. It is checked like any other. */
function ownFields(analysis: Container['analysis']): { readonly fields: object; readonly metadata: object } {
  const own = analysis?.find(({ vendor, schema }) => vendor === 'earshot' && schema === 'call-record')
  const record = typeof own?.body === 'string' ? parsedJson(own.body) : undefined
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return { fields: NONE, metadata: {} }
  const { session_metadata: metadata, ...fields } = record as Record<string, unknown>
  return { fields, metadata: typeof metadata === 'object' && metadata !== null ? metadata : {} }
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** vCon, the IETF's container for conversations. */
export const vcon = documentFormat({
  name: 'vcon',
  title: 'vCon (IETF draft), with text in its dialog or a transcript in its analysis',
  page: {
    recognised: 'JSON with `vcon`, `parties` and `dialog`; signed and encrypted ones are not read',
    documented: [
      'https://datatracker.ietf.org/doc/draft-ietf-vcon-vcon-core/',
      'https://datatracker.ietf.org/doc/draft-ietf-vcon-cc-extension/',
    ],
    agent: '`role` of the party; where a transcript numbers its speakers, who greets first',
    taken:
      '`uuid` → session_id; the earliest `start` → created_dt; `subject` → title; names of parties; text of the dialog, else a transcript in the analysis (`segments`, `transcript`, `turns` or `utterances` with `text`, `speaker` or `party`, `start`, `end`); media types → channel; what "earshot export --format vcon" adds comes back whole',
    lost: 'recordings, attachments, other analyses, transfers',
  },
  marks: [
    ['vcon', 'parties'],
    ['uuid', 'parties', 'dialog'],
  ],
  schema: container,
  load: loadHtmlText,
  tell,
  missing,
})
