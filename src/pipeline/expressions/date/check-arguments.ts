import { readInstant, toExtended } from '../../extended-json.js'
import { Refusal, refuseName } from '../../refusal.js'
import type { Expression } from '../../tree.js'
import { checkTimeZone } from './check-time-zone.js'
import { UNITS, unitOf } from './units.js'

/** Refuses literal arguments that can't be right, before anything runs. */
export function checkArguments(name: string, operands: ReadonlyMap<string, Expression>, where: string): void {
  checkUnit(operands.get('unit'), `${where}.unit`)
  checkTimeZone(name, operands.get('timezone'), `${where}.timezone`)
  for (const argument of ['date', 'startDate', 'endDate']) checkDate(operands.get(argument), argument, where)
}

function checkUnit(unit: Expression | undefined, where: string): void {
  if (unit?.kind !== 'literal' || unit.value === null || unitOf(unit.value) !== undefined) return
  const name = typeof unit.value === 'string' ? unit.value : JSON.stringify(toExtended(unit.value))
  refuseName(where, 'The unit', name, UNITS, new Map())
}

/** A text is no date here, whatever it says: where it says one, how that is written. */
function checkDate(date: Expression | undefined, argument: string, where: string): void {
  if (date?.kind !== 'literal' || typeof date.value !== 'string' || readInstant(date.value) === undefined) return
  const written = JSON.stringify({ $date: date.value }).replace(':', ': ')
  throw new Refusal(where, `takes dates, not string; write ${written} as ${argument}`)
}
