import { labelKind } from './conversation/label-kind.js'
import type { Speech } from './conversation/speech.js'
import { clockSeconds } from './documents/times.js'
import { utf8Text, wholeFormat, type WholeTold } from './documents/whole-format.js'
import { beginsMail } from './email/begins-mail.js'

/** `Agent: …`, `[00:01:05] Ann Lee: …`, `00:01:05 Agent: …`, `Agent (0:05): …`, `- Agent: …`. */
const TURN =
  /^\s{0,8}(?:[-*>]\s{0,3})?(?:[[(]?(\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)[\])]?\s{0,3}(?:-\s{0,3})?)?(?:\*\*)?([^\s:[\]()*"{}<>,;|=][^:[\]()*"{}<>;|=]{0,48}?)(?:\*\*)?(?:\s{0,3}[[(](\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)[\])])?\s{0,3}:(?:\*\*)?(?:\s+(\S.*)|\s*)$/
/** A label that is a name or role has few words; a sentence with a colon has many. */
const MOST_WORDS = 4
/** So much of a text tells, UTF-16 units. */
const LOOKED_AT = 16_384
/** Share of the lines that say who speaks, in a text where names alone do so. */
const LEAST_SHARE = 0.6

interface Turn {
  readonly label: string
  readonly start: number | undefined
  readonly text: string
}

function turnOf(line: string): Turn | undefined {
  const found = TURN.exec(line)
  const label = found?.[2]?.trim() ?? ''
  if (found === null || label === '' || label.split(/\s+/).length > MOST_WORDS) return undefined
  const clock = found[1] ?? found[3]
  return { label, start: clock === undefined ? undefined : clockSeconds(clock), text: found[4] ?? '' }
}

/** Whether a text is talk: lines that begin with roles, or nearly all with the same few names. */
function isDialogue(head: string): boolean {
  const lines = head
    .slice(0, LOOKED_AT)
    .split(/\r\n|\n|\r/)
    .filter(line => line.trim() !== '')
  const labels = new Map<string, number>()
  for (const line of lines) {
    const label = turnOf(line)?.label
    if (label !== undefined) labels.set(label, (labels.get(label) ?? 0) + 1)
  }
  const kinds = new Set([...labels.keys()].map(labelKind))
  if (kinds.has('agent') && kinds.has('customer')) return true
  const again = [...labels.values()].filter(count => count > 1)
  const turns = again.reduce((sum, count) => sum + count, 0)
  return again.length >= 2 && again.length <= 6 && turns / lines.length >= LEAST_SHARE
}

function tell(bytes: Uint8Array): readonly WholeTold[] {
  const read = utf8Text(bytes)
  if ('fault' in read) return [read]
  const lines = read.text.split(/\r\n|\n|\r/)
  const met = new Map<string, number>()
  for (const line of lines) {
    const label = turnOf(line)?.label
    if (label !== undefined) met.set(label, (met.get(label) ?? 0) + 1)
  }
  const speeches: (Omit<Speech, 'text'> & { readonly lines: string[] })[] = []
  for (const line of lines) {
    const turn = turnOf(line)
    // A name that stands there once may be a word with a colon.
    const isTurn = turn !== undefined && (labelKind(turn.label) !== 'name' || (met.get(turn.label) ?? 0) > 1)
    if (isTurn) speeches.push({ speaker: turn.label, start: turn.start, end: undefined, lines: [turn.text] })
    else if (line.trim() !== '') speeches.at(-1)?.lines.push(line.trim())
  }
  return [
    {
      speeches: speeches.map(({ lines: said, ...one }) => ({ ...one, text: said.join(' ') })),
      fields: { channel: 'phone' },
      metadata: {},
    },
  ]
}

/** Plain text in which each line says who speaks. */
export const dialogue = wholeFormat({
  name: 'dialogue',
  title: 'plain text dialogue: Agent: …, Customer: …',
  page: {
    recognised:
      'text with lines that begin `Agent:` and `Customer:` (or other words for them), or nearly all with the same few names',
    documented: [],
    agent: 'the role, else who greets first, or `--agent-speaker "Ann Lee"`',
    taken: 'speakers, text; times where they stand before or behind the name: `[00:01:05] Agent: …`',
    lost: 'what stands before the first turn',
  },
  recognises: ({ head, shape }) => {
    if (shape.size > 0 || head.includes('-->') || head.startsWith('WEBVTT') || beginsMail(head)) return false
    return isDialogue(head)
  },
  tell,
})
