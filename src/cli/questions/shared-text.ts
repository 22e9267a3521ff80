import wrapAnsi from 'wrap-ansi'
import { calls, localTime } from '../figures.js'
import { type Screen, styled } from '../screen.js'

interface Window {
  readonly from?: string | undefined
  readonly to: string
  readonly time_zone: string
}

/** A period with its zone: `2026-03-01 00:00 – 2026-03-31 23:59 (Europe/Berlin)`. */
export function periodText({ from, to, time_zone: zone }: Window): string {
  const begin = from === undefined ? '' : `${localTime(from, zone)} – `
  return `${begin}${localTime(to, zone)} (${zone})`
}

/** What an answer is, and over which period. */
export function headline(what: string, window: Window, screen: Screen): string {
  return `${styled(screen, 'bold', what)}, ${periodText(window)}\n`
}

interface WhyEmpty {
  readonly unknown?: readonly { readonly argument: string; readonly closest?: string | undefined }[] | undefined
  readonly first_call?: string | undefined
  readonly last_call?: string | undefined
}

/** Why there may be nothing, in sentences. */
export function emptyLines(why: WhyEmpty | undefined, { time_zone: zone }: Window): string {
  const unknown = (why?.unknown ?? []).map(({ argument, closest }) => {
    const meant = closest === undefined ? '' : `; the closest there is: ${closest}`
    return `No call has this --${argument.replaceAll('_', '-')}${meant}\n`
  })
  const { first_call: first, last_call: last } = why ?? {}
  const outside =
    first === undefined || last === undefined
      ? ''
      : `The period has no calls: they go from ${localTime(first, zone)} to ${localTime(last, zone)} (${zone})\n`
  return `${unknown.join('')}${outside}`
}

/** How many values a figure is of. */
export const ofCalls = (value: number): string => `(${calls(value)})`

/** A heading of a part. */
export function heading(screen: Screen, text: string): string {
  return `\n${styled(screen, 'bold', text)}\n`
}

/** Lines of a text, broken between words where the terminal ends, all of them indented alike. */
export function wrapped(text: string, { width }: Screen, indent = ''): string {
  const room = width === undefined ? Infinity : Math.max(10, width - indent.length)
  const lines = wrapAnsi(text, room, { hard: true }).split('\n')
  return lines.map(line => `${indent}${line}\n`).join('')
}
