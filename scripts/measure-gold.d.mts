import type { CallRecord } from '../src/calls/call-record.js'
import type { Evaluator } from '../src/evaluation/evaluator.js'

export interface GoldCall {
  readonly id: string
  readonly holdout: boolean
  readonly call: CallRecord
  readonly expected: {
    readonly driver: string | null
    readonly signals: Readonly<Record<string, string>>
    readonly evidence?: Readonly<Record<string, readonly number[]>>
  }
}

interface Wrong {
  readonly id: string
  readonly wanted: string | null
  readonly found: string | null
}

export interface SignalMeasured {
  readonly key: string
  /** Rightly, wrongly, and not found present. */
  readonly hit: number
  readonly extra: number
  readonly missed: number
  /** Calls in which the state is the labelled one. */
  readonly agreed: number
  readonly of: number
  readonly wrong: readonly Wrong[]
  /** 0–1; undefined where nothing is found, or nothing is labelled, present. */
  readonly precision: number | undefined
  readonly recall: number | undefined
}

export interface GoldMeasured {
  readonly calls: number
  readonly rows: readonly SignalMeasured[]
  readonly drivers: { readonly right: number; readonly of: number; readonly wrong: readonly Wrong[] }
  /** Of the signals found present whose turns are labelled, those that quote one of the turns. */
  readonly evidence: { readonly right: number; readonly of: number; readonly wrong: readonly string[] }
  readonly quotes: number
  readonly badQuotes: readonly string[]
}

export function readGold(file: string): GoldCall[]
export function measureGold(evaluator: Evaluator, calls: readonly GoldCall[]): GoldMeasured
