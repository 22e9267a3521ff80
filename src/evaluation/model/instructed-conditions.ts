import type { CallRecord } from '../../calls/call-record.js'
import { eventOf } from '../rules/conditions-of.js'
import { spotAt } from '../rules/finding.js'
import type { HeardCall } from '../rules/heard-call.js'
import { type Instructed, instructedPlaces } from './model-doubts.js'

/** Most turns that are kept. */
const MOST = 5

/** The turns that try to instruct the evaluation, for whoever looks into it. */
export function instructedConditions(
  instructed: Instructed,
  { spoken }: HeardCall,
): NonNullable<CallRecord['conditions']> {
  return instructedPlaces(instructed)
    .slice(0, MOST)
    .flatMap(place => {
      const turn = spoken.find(one => one.place === place)
      return turn === undefined ? [] : [{ key: 'model.instructed', turn: turn.turn, text: eventOf(spotAt(turn)) }]
    })
}
