import { REASON_FURTHER, REASON_UNNAMED } from '../../calls/reasons.js'
import type { CallRecord } from '../../calls/call-record.js'
import type { CompiledRubric } from './compile-rubric.js'
import { spotAt } from './finding.js'
import { stemsOfList } from './follow-course.js'
import type { HeardTurn } from './heard-call.js'
import { quote } from './quote.js'
import type { Reading } from './reading.js'

/** Most further reasons that are kept. */
const MOST_FURTHER = 5
/** Words that are not in every call, of which a turn that gives a reason has so many. */
const LEAST_TELLING = 2

/** What else the customer called for; and where the table has no line for it, the words it was said in. */
export function reasonConditions(
  { rubric }: CompiledRubric,
  { driver, heard, readable }: Reading,
): NonNullable<CallRecord['conditions']> {
  const further = driver.further
    .slice(0, MOST_FURTHER)
    .map(({ driver: name, spot }) => ({ key: REASON_FURTHER, turn: spot.turn.turn, text: name }))
  if (driver.driver !== undefined || driver.unknown || !readable || rubric.drivers.table.length === 0) return further
  const common = stemsOfList(rubric.course?.everyday ?? [], heard.language)
  const telling = ({ said }: HeardTurn) => new Set(said.stems.filter(stem => !common.has(stem))).size
  let most = LEAST_TELLING - 1
  let said: HeardTurn | undefined
  for (const turn of heard.by.customer.slice(0, rubric.drivers.turns)) {
    const words = telling(turn)
    if (words > most) [most, said] = [words, turn]
  }
  if (said === undefined) return further
  return [...further, { key: REASON_UNNAMED, turn: said.turn, text: quote(spotAt(said)).quote }]
}
