import { dayOfYear, isoDay, isoWeek, sundayWeek } from './calendar.js'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const monthNames: readonly string[] = MONTHS

/** A format read: texts as they are, specifiers by their letter. */
export type FormatPart = { readonly text: string } | { readonly specifier: string }

/** Every specifier of $dateToString. */
export const SPECIFIERS = 'bBdGHjLmMSuUVwYzZ'

/** A format's parts, or `undefined` when it has an unknown specifier or ends in a single %. */
export function readFormat(format: string, specifiers: string = SPECIFIERS): readonly FormatPart[] | undefined {
  const parts: FormatPart[] = []
  let text = ''
  for (let i = 0; i < format.length; i += 1) {
    const char = format[i]!
    if (char !== '%') {
      text += char
      continue
    }
    i += 1
    const letter = format[i]
    if (letter === '%') {
      text += '%'
      continue
    }
    if (letter === undefined || !specifiers.includes(letter)) return undefined
    if (text !== '') parts.push({ text })
    text = ''
    parts.push({ specifier: letter })
  }
  return text === '' ? parts : [...parts, { text }]
}

const pad = (number: number, width: number) => String(number).padStart(width, '0')

/** One specifier of a local time; `offset` is what it is ahead of UTC, in minutes. */
export function formatPart(specifier: string, local: Date, offset: number): string {
  switch (specifier) {
    case 'Y':
      return pad(local.getUTCFullYear(), 4)
    case 'm':
      return pad(local.getUTCMonth() + 1, 2)
    case 'b':
      return MONTHS[local.getUTCMonth()]!.slice(0, 3)
    case 'B':
      return MONTHS[local.getUTCMonth()]!
    case 'd':
      return pad(local.getUTCDate(), 2)
    case 'H':
      return pad(local.getUTCHours(), 2)
    case 'M':
      return pad(local.getUTCMinutes(), 2)
    case 'S':
      return pad(local.getUTCSeconds(), 2)
    case 'L':
      return pad(local.getUTCMilliseconds(), 3)
    case 'j':
      return pad(dayOfYear(local), 3)
    case 'w':
      return String(local.getUTCDay() + 1)
    case 'u':
      return String(isoDay(local))
    case 'U':
      return pad(sundayWeek(local), 2)
    case 'V':
      return pad(isoWeek(local).week, 2)
    case 'G':
      return pad(isoWeek(local).year, 4)
    case 'z': {
      const size = Math.abs(offset)
      return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}${pad(size % 60, 2)}`
    }
    default:
      return String(offset)
  }
}
