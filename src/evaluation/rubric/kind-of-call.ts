import type { CallRecord } from '../../calls/call-record.js'
import type { RubricKind } from './rubric.js'

const fits = (values: readonly unknown[] | undefined, said: unknown): boolean =>
  values === undefined || (said !== undefined && values.some(value => same(value, said)))

function same(value: unknown, said: unknown): boolean {
  const [a, b] = [value, said].map(one => String(one).trim().toLowerCase())
  return a === b
}

/**
 * Of which kind a call is, by what its record says, not by what is said in it or what an evaluation found; undefined where it is
 * none of them.
 */
export function kindOfCall<Kind extends Pick<RubricKind, 'when'>>(
  kinds: readonly Kind[],
  { interaction_direction, channel, interaction_driver, session_metadata = {} }: CallRecord,
): Kind | undefined {
  return kinds.find(
    ({ when }) =>
      fits(when.direction, interaction_direction) &&
      fits(when.channel, channel) &&
      fits(when.driver, interaction_driver) &&
      Object.entries(when.metadata ?? {}).every(([field, values]) => fits(values, session_metadata[field])),
  )
}
