import type { CallRecord } from '../../src/calls/call-record.js'
import type { Rubric } from '../../src/evaluation/rubric/rubric.js'
import { compileRubric, type CompiledSignal } from '../../src/evaluation/rules/compile-rubric.js'
import { EvaluationTime } from '../../src/evaluation/rules/evaluation-time.js'
import { evaluateSignals } from '../../src/evaluation/rules/evaluate-signals.js'
import { readCall } from '../../src/evaluation/rules/read-call.js'
import { CALL_MS } from '../../src/evaluation/rules/rules-evaluator.js'
import type { SignalState } from '../../src/evaluation/rules/reading.js'
import { confidenceOf, wordingOf } from '../../src/evaluation/rules/strength-and-confidence.js'
import { tellSpeakers } from '../../src/evaluation/rules/swapped-speakers.js'
import { shareInterval } from '../../src/statistics/mean-interval.js'

/** A labelled call. */
export interface LabelledCall {
  readonly id: string
  readonly call: CallRecord
  /** By signal; `n/a` is as good as absent. */
  readonly labels: Readonly<Record<string, string>>
  /** The rules were never changed for one of its set: what they make of it says what they make of other calls. */
  readonly fresh: boolean
}

/** What the rules say of one signal in one labelled call. */
export interface Find {
  readonly call: string
  readonly fresh: boolean
  readonly key: string
  readonly state: SignalState
  /** The label says the same. */
  readonly right: boolean
  /** The words that show it. */
  readonly wordings: readonly string[]
  /** The clock decides it. */
  readonly timed: boolean
  readonly confidence: number | undefined
}

export type Confidence = NonNullable<CompiledSignal['confidence']>

/** Labelled calls in which a wording has to be right to be a usual one. */
const USUAL_CALLS = 3
/** For how many calls the share of all signals counts beside a signal's own: the best of 1 to 32, leaving out one call at a time. */
const PRIOR_CALLS = 4
/** Nothing that was measured on so few calls is certain. */
const MOST = 0.99

/** Everything the rules say of the signals of labelled calls. */
export function findsOf(rubric: Rubric, calls: readonly LabelledCall[]): readonly Find[] {
  const compiled = compileRubric(rubric)
  return calls.flatMap(({ id, call, labels, fresh }) => {
    const read = readCall(call, compiled)
    if (typeof read === 'string') return []
    const time = new EvaluationTime(CALL_MS)
    const first = evaluateSignals(compiled, read.reading, read.states, time)
    const { found } = tellSpeakers(call, compiled, { read, found: first }, time)
    return found.map((one): Find => {
      const { key, present } = one.compiled.signal
      const label = labels[key] === 'n/a' ? 'absent' : labels[key]
      return {
        call: id,
        fresh,
        key,
        state: one.state,
        right: label === one.state,
        // A value that both say is no way of saying it.
        wordings:
          one.state === 'present' && present.repeats === undefined
            ? [...new Set(one.spots.map(wordingOf))].filter(Boolean)
            : [],
        timed: one.compiled.times,
        confidence: confidenceOf(one),
      }
    })
  })
}

/**
 * How often each signal is right, by its state and by whether a usual wording shows it: its own share in the fresh calls, drawn
 * towards the share of all signals there. The calls the rules were tuned to only say which wordings are usual: of these the rules
 * are right by having been tuned. What the clock decides has no wording to be tuned, and is measured on all.
 */
export function fitConfidence(finds: readonly Find[]): ReadonlyMap<string, Confidence> {
  const calls = usualCalls(finds)
  const kindOf = (find: Find): string => {
    if (find.timed) return `timed ${find.state}`
    if (find.state !== 'present') return find.state
    return isUsual(find, calls) ? 'usual' : 'present'
  }
  const counted = finds.filter(({ fresh, timed }) => fresh || timed)
  const all = new Map<string, Share>()
  const own = new Map<string, Share>()
  for (const find of counted) {
    const kind = kindOf(find)
    add(all, kind, find.right)
    add(own, `${find.key} ${kind}`, find.right)
  }
  const share = (key: string, kind: string): number => {
    const { right, of } = all.get(kind) ?? { right: 0, of: 0 }
    const pooled = (right + 1) / (of + 2)
    const one = own.get(`${key} ${kind}`) ?? { right: 0, of: 0 }
    return Math.min(MOST, Math.round((100 * (one.right + PRIOR_CALLS * pooled)) / (one.of + PRIOR_CALLS)) / 100)
  }
  const timed = new Set(finds.flatMap(find => (find.timed ? [find.key] : [])))
  return new Map(
    [...new Set(finds.map(({ key }) => key))].map(key => {
      const kind = timed.has(key) ? 'timed ' : ''
      const wordings = [...calls].flatMap(([said, in_]) =>
        said.startsWith(`${key}|`) && in_.size >= USUAL_CALLS ? [said.slice(key.length + 1)] : [],
      )
      const usual = wordings.length === 0 ? {} : { usual: share(key, 'usual') }
      return [
        key,
        {
          present: share(key, `${kind}present`),
          ...usual,
          absent: share(key, `${kind}absent`),
          unclear: share(key, `${kind}unclear`),
          wordings: wordings.toSorted(),
        },
      ]
    }),
  )
}

interface Share {
  right: number
  of: number
}

function add(shares: Map<string, Share>, key: string, right: boolean): void {
  const one = shares.get(key) ?? { right: 0, of: 0 }
  shares.set(key, { right: one.right + (right ? 1 : 0), of: one.of + 1 })
}

/** The calls in which a wording rightly shows a signal, by `signal|wording`. */
function usualCalls(finds: readonly Find[]): ReadonlyMap<string, ReadonlySet<string>> {
  const calls = new Map<string, Set<string>>()
  for (const { key, wordings, right, call } of finds) {
    if (!right) continue
    for (const wording of wordings) {
      const said = `${key}|${wording}`
      calls.set(said, (calls.get(said) ?? new Set()).add(call))
    }
  }
  return calls
}

/** Whether other calls make a wording of it a usual one. */
function isUsual({ key, wordings, call }: Find, calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return wordings.some(wording => {
    const known = calls.get(`${key}|${wording}`)
    return known !== undefined && known.size - (known.has(call) ? 1 : 0) >= USUAL_CALLS
  })
}

/** Of the finds whose confidence is in a range, how many there are, what it says on average, and how many are right. */
export interface Reliability {
  readonly from: number
  readonly to: number
  readonly finds: number
  readonly said: number
  readonly right: number
  /** Wilson, 95 %. */
  readonly interval: readonly [number, number]
}

const BOUNDS = [0, 0.5, 0.75, 0.85, 0.92, 0.97, 1.01]

/** How far confidence can be believed, in ranges of it; those without a find are left out. */
export function reliabilityOf(finds: readonly Find[]): readonly Reliability[] {
  return BOUNDS.slice(1).flatMap((to, at) => {
    const from = BOUNDS[at]!
    const within = finds.filter(({ confidence = -1 }) => confidence >= from && confidence < to)
    if (within.length === 0) return []
    const right = within.filter(one => one.right).length
    const said = within.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / within.length
    return [
      {
        from,
        to: Math.min(1, to),
        finds: within.length,
        said,
        right,
        interval: shareInterval(right, within.length, 1)!,
      },
    ]
  })
}

/** Mean square of what confidence is off by, and the same for one that says the same of every find. */
export function brierOf(finds: readonly Find[]): { readonly own: number; readonly constant: number } {
  const mean = finds.filter(({ right }) => right).length / finds.length
  const off = (of: (find: Find) => number) =>
    finds.reduce((sum, find) => sum + (of(find) - (find.right ? 1 : 0)) ** 2, 0) / finds.length
  return { own: off(({ confidence = 0 }) => confidence), constant: off(() => mean) }
}
