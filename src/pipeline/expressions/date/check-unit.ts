import { toExtended } from '../../extended-json.js'
import { refuseName } from '../../refusal.js'
import type { Expression } from '../../tree.js'
import { UNITS, unitOf } from './units.js'

/** Refuses a literal unit that is none, before anything runs. */
export function checkUnit(operands: ReadonlyMap<string, Expression>, where: string): void {
  const unit = operands.get('unit')
  if (unit?.kind !== 'literal' || unit.value === null || unitOf(unit.value) !== undefined) return
  const name = typeof unit.value === 'string' ? unit.value : JSON.stringify(toExtended(unit.value))
  refuseName(`${where}.unit`, 'The unit', name, UNITS, new Map())
}
