import { closest } from '../../../base/closest.js'
import { echo } from '../../../base/text.js'
import { Refusal } from '../../refusal.js'
import type { Expression } from '../../tree.js'
import { NO_ZONE, readTimeZone } from './time-zone.js'

/** Refuses a literal time zone that is none, whatever the date is, with the one that was probably meant. */
export function checkTimeZone(name: string, zone: Expression | undefined, where: string): void {
  if (zone?.kind !== 'literal' || zone.value === null) return
  const text = typeof zone.value === 'string' ? zone.value : undefined
  if (text !== undefined && readTimeZone(text) !== undefined) return
  const near = text === undefined ? undefined : zoneLike(text)
  throw new Refusal(where, `${name} ${NO_ZONE}${near === undefined ? '' : `; did you mean ${echo(near)}?`}`)
}

/** The zone of a city, or one that is spelled alike. */
function zoneLike(text: string): string | undefined {
  const names = Intl.supportedValuesOf('timeZone')
  const city = `/${text.trim().replaceAll(/\s+/g, '_').toLowerCase()}`
  return names.find(name => `/${name.toLowerCase()}`.endsWith(city)) ?? closest(text, names)
}
