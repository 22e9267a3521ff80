import { arraysInFilters } from './arrays-in-filters.js'
import { dates } from './dates.js'
import { expressions } from './expressions.js'
import { fields } from './fields.js'
import { groups } from './groups.js'
import { nullAndMissing } from './null-and-missing.js'
import { order } from './order.js'
import { patternsAndNumbers } from './patterns-and-numbers.js'
import { refusals } from './refusals.js'
import type { RuleSet } from './rule.js'

/** What the language means where other readings are at hand: docs/pipeline-rules.md. */
export const rules: readonly RuleSet[] = [
  nullAndMissing,
  arraysInFilters,
  order,
  groups,
  fields,
  expressions,
  dates,
  patternsAndNumbers,
  refusals,
]
