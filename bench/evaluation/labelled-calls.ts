import type { GoldCall } from '../../scripts/measure-gold.mjs'
import type { LabelledCall } from './calibration.js'
import { recordOf, type TradeCall } from './trade-calls.js'

/** The labelled calls of support lines in test/evaluation/. */
interface Written {
  readonly gold: readonly GoldCall[]
  readonly trades: readonly TradeCall[]
}

/** Calls that the rules may be tuned to; they never were to those of ten trades, which are fresh. */
export function tunedCalls({ gold, trades }: Written): readonly LabelledCall[] {
  return [...ofGold(gold.filter(({ holdout }) => !holdout)), ...ofTrades(trades, 'trades-')]
}

/** Calls that nobody tunes to: the five sets held out of those written by hand, and the untouched half of those of ten trades. */
export function untouchedCalls({
  gold,
  trades,
}: Written): Readonly<Record<'gold' | 'trades', readonly LabelledCall[]>> {
  return { gold: ofGold(gold.filter(({ holdout }) => holdout)), trades: ofTrades(trades, 'holdout8-') }
}

/** Sales calls the rubric was tuned to, without those held out, and others that were labelled before anybody had seen what it makes of them. */
export function salesCalls({
  tuned,
  fresh,
}: {
  readonly tuned: readonly GoldCall[]
  readonly fresh: readonly GoldCall[]
}): readonly LabelledCall[] {
  return [...ofGold(tuned.filter(({ holdout }) => !holdout)), ...ofGold(fresh).map(call => ({ ...call, fresh: true }))]
}

const ofGold = (calls: readonly GoldCall[]): readonly LabelledCall[] =>
  calls.map(({ id, call, expected }) => ({ id, call, labels: expected.signals, fresh: false }))

const ofTrades = (calls: readonly TradeCall[], half: string): readonly LabelledCall[] =>
  calls
    .filter(({ id }) => id.startsWith(half))
    .map(call => ({ id: call.id, call: recordOf(call), labels: call.expected.signals, fresh: true }))
