import type { Catalogs } from '../calls/catalogs.js'
import { dimensionCondition } from './dimension-value.js'
import {
  type Kind,
  agentIdKind,
  agentKind,
  dimensionKind,
  driverKind,
  guidanceKind,
  ratingKind,
  signalKind,
} from './kinds.js'

/** Scores of the whole call; every other key is a quality dimension's. */
const WHOLE_CALL: ReadonlySet<string> = new Set(['score', 'predicted_csat'])

/** The filter for the calls behind a mean score, by the key that detect_changes names it with. */
function ratedOn(key: string): object {
  return WHOLE_CALL.has(key) ? { [key]: { $ne: null } } : { 'scores.key': { $eq: key } }
}

/** Values a caller filters by that are names of something: only what is spelled exactly is found. */
export interface NamedValues {
  readonly agent_name?: string | undefined
  readonly agent_id?: string | undefined
  readonly driver?: string | undefined
  readonly signal_key?: string | undefined
  readonly guide_key?: string | undefined
  readonly dimension?: string | undefined
  readonly rated_on?: string | undefined
}

interface Held {
  readonly argument: keyof NamedValues
  /** What calls have such values of. */
  readonly kind: Kind
  /** What those who have such a value are called by: whoever writes the name in its place means it. */
  readonly calledBy?: Kind
  /** The filter for calls with a value; the kind's own where it says the same. */
  readonly condition?: (value: string) => object
  /** The catalog that knows such names beside those of calls. */
  readonly catalog?: keyof Catalogs
  /** Names there are without one. */
  readonly known?: ReadonlySet<string>
}

const HELD: readonly Held[] = [
  { argument: 'agent_name', kind: agentKind },
  { argument: 'agent_id', kind: agentIdKind, calledBy: agentKind },
  { argument: 'driver', kind: driverKind },
  { argument: 'signal_key', kind: signalKind, catalog: 'signals' },
  { argument: 'guide_key', kind: guidanceKind, catalog: 'guidance' },
  { argument: 'dimension', kind: dimensionKind, condition: dimensionCondition },
  { argument: 'rated_on', kind: ratingKind, condition: ratedOn, known: WHOLE_CALL },
]

/** A value that was given, and the calls it stands for. */
export interface HeldValue extends Omit<Held, 'condition'> {
  readonly value: string
  readonly condition: object
}

/** Each value that was given, with where calls hold it. */
export function heldValues(values: NamedValues): readonly HeldValue[] {
  return HELD.flatMap(held => {
    const value = values[held.argument]
    return value === undefined
      ? []
      : [{ ...held, value, condition: held.condition?.(value) ?? held.kind.having(value) }]
  })
}

/** The conditions that the values given make. */
export function namedConditions(values: NamedValues): readonly object[] {
  return heldValues(values).map(({ condition }) => condition)
}
