import { joinSpeeches } from '../conversation/join-speeches.js'
import { labelKind } from '../conversation/label-kind.js'
import type { Speech } from '../conversation/speech.js'
import type { Cue } from './cue.js'

/** `<v Ann>`, `<v.loud Ann Smith>`: WebVTT's own way to say who speaks, up to `</v>` or the next. */
const VOICE = /<v(?:\.[^\s>]*)?(?:\s+([^>]*))?>/gi
const TAG = /<\/?[^<>]{0,200}>/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }
/** `Ann: `, `[Agent]: `, `(Agent) `, `>> ANN: `, `SPEAKER_00: ` at the start of a line. */
const PREFIX =
  /^\s*(?:-\s*)?(?:>>+\s*)?(?:\[([^\]]{1,60})\]:?|\(([^)]{1,60})\):?|([^\s:,.!?<>][^:,.!?<>]{0,59}):)\s+(?=\S)/u
/** A label that is a name or role has few words; a sentence with a colon has many. */
const MOST_WORDS = 4

/**
 * What is said in the cues of a subtitle file, and by whom: by voice tags, else by names before the text. A name counts
 * as one when it is a role, a number of a speaker, or stands there more than once; one that stands there once does among others
 * when the file begins with it or every cue begins with one. It holds until the next.
 */
export function speechesOfCues(cues: readonly Cue[]): readonly Speech[] {
  const isVoiced = cues.some(({ lines }) => lines.some(line => /<v[\s.]/i.test(line)))
  return joinSpeeches(isVoiced ? cues.flatMap(voiced) : prefixed(cues))
}

function voiced({ lines, start, end }: Cue): readonly Speech[] {
  const text = lines.join(' ')
  const tags = [...text.matchAll(VOICE)]
  const before = text.slice(0, tags[0]?.index ?? text.length)
  const parts = tags.map(({ 0: tag, 1: name, index }, place) => ({
    speaker: plain(name ?? '') || undefined,
    text: text.slice(index + tag.length, tags[place + 1]?.index),
  }))
  return [{ speaker: undefined, text: before }, ...parts]
    .map(({ speaker, text }) => ({ speaker, text: plain(text), start, end }))
    .filter(({ text }) => text !== '')
}

function prefixed(cues: readonly Cue[]): readonly Speech[] {
  const met = new Map<string, number>()
  for (const { lines } of cues) {
    for (const line of lines) {
      const label = prefixOf(line)?.label
      if (label !== undefined) met.set(label, (met.get(label) ?? 0) + 1)
    }
  }
  const starts = cues.map(({ lines: [line = ''] }) => prefixOf(line)?.label)
  const isWhole = met.size > 1 && !starts.includes(undefined)
  const isSure = (label: string): boolean => labelKind(label) !== 'name' || (met.get(label) ?? 0) > 1
  const isFirst = (label: string): boolean => label === starts[0] && [...met.keys()].some(isSure)
  const isLabel = (label: string): boolean => isSure(label) || isWhole || isFirst(label)
  let speaker: string | undefined
  return cues.flatMap(({ lines, start, end }) => {
    const said: { speaker: string | undefined; text: string }[] = []
    for (const line of lines) {
      const prefix = prefixOf(line)
      const isNamed = prefix !== undefined && isLabel(prefix.label)
      if (isNamed) speaker = prefix.label
      const text = plain(isNamed ? prefix.rest : line)
      const last = said.at(-1)
      if (!isNamed && last !== undefined) last.text = `${last.text} ${text}`
      else said.push({ speaker, text })
    }
    return said.filter(({ text }) => text.trim() !== '').map(one => ({ ...one, start, end }))
  })
}

function prefixOf(line: string): { readonly label: string; readonly rest: string } | undefined {
  const found = PREFIX.exec(line)
  const label = plain(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')
  if (found === null || label === '' || label.split(/\s+/).length > MOST_WORDS) return undefined
  return { label, rest: line.slice(found[0].length) }
}

/** Text without tags, its entities written out. */
function plain(text: string): string {
  return text
    .replaceAll(TAG, '')
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
