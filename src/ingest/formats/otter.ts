import type { Speech } from './conversation/speech.js'
import { clockSeconds } from './documents/times.js'
import { utf8Text, wholeFormat, type WholeTold } from './documents/whole-format.js'

/** `Ann Lee  0:03`, a line of its own above what she says. */
const HEADER = /^(\S(?:[^\t]{0,58}\S)?)\s{2,8}(\d{1,3}:\d{2}(?::\d{2})?)\s*$/
/** Otter's own last line. */
const FOOTER = /^Transcribed by https?:\/\/otter\.ai\/?\s*$/i

function headersOf(lines: readonly string[]): number {
  return lines.filter((line, at) => HEADER.test(line) && (lines[at + 1]?.trim() ?? '') !== '').length
}

function tell(bytes: Uint8Array): readonly WholeTold[] {
  const read = utf8Text(bytes)
  if ('fault' in read) return [read]
  const speeches: (Omit<Speech, 'text'> & { readonly lines: string[] })[] = []
  for (const line of read.text.split(/\r\n|\n|\r/)) {
    const header = HEADER.exec(line)
    if (header !== null) {
      speeches.push({ speaker: header[1], start: clockSeconds(header[2] ?? ''), end: undefined, lines: [] })
    } else if (line.trim() !== '' && !FOOTER.test(line)) speeches.at(-1)?.lines.push(line.trim())
  }
  return [
    {
      speeches: speeches.map(({ lines, ...one }) => ({ ...one, text: lines.join(' ') })),
      fields: { channel: 'phone' },
      metadata: {},
    },
  ]
}

/** Otter's text: a line with the speaker and the time above what they say. */
export const otter = wholeFormat({
  name: 'otter',
  title: 'Otter text: a speaker and a time above what they say',
  page: {
    recognised: 'text with lines such as `Ann Lee  0:03`, two blanks before the time',
    documented: [
      'https://help.otter.ai/hc/en-us/articles/360047733634-Export-conversations',
      'https://transcript-indexer.pages.dev/api/readers/',
    ],
    agent: 'a name that is a role, else who greets first, or `--agent-speaker "Ann Lee"`',
    taken: 'speakers, times, text',
    lost: 'what stands before the first speaker: title, summary, key words',
  },
  recognises: ({ head, shape }) => {
    if (shape.size > 0 || head.includes('-->')) return false
    return headersOf(head.slice(0, LOOKED_AT).split(/\r\n|\n|\r/)) >= 2
  },
  tell,
})

/** So much of a text tells, UTF-16 units. */
const LOOKED_AT = 16_384
