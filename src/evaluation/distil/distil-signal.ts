import { shareInterval } from '../../statistics/mean-interval.js'
import { type LinearWeights, probability } from './fit-linear.js'
import { fitSignal, type LabelledTurns, mostOf } from './fit-signal.js'

/** A labelled call, and what the rules make of it. */
export interface LabelledCall extends LabelledTurns {
  /** What calls of one text share: they are never on both sides of a trial. */
  readonly text: string
  /** Whether the rules find the signal; undefined of a call that they can't read. */
  readonly rules: boolean | undefined
}

/** Parts the calls are tried in: each is judged by what the others teach. */
const FOLDS = 5
/** Labels of either kind without which nothing is learnt. */
export const FEWEST_LABELS = 20
/** Cohen's kappa with the labels that a second opinion must reach: "substantial" (Landis and Koch, 1977). */
export const LEAST_KAPPA = 0.6
/** What it is sure of: a difference is told only beyond. */
export const SURE = 0.8
/** Differences with the rules, one way, that labels must have judged, more than half for it, before it is told. */
export const FEWEST_DIFFERENCES = 5

/** Of so many, as many: a share with its 95 % interval (Wilson). */
export interface Share {
  readonly hits: number
  readonly of: number
  readonly share?: number
  readonly interval?: readonly [number, number]
}

/** What trials over held-out parts of the labelled calls say of a classifier. */
export interface SignalTrial {
  /** Labels, and how many of them say that it is present. */
  readonly labels: number
  readonly present: number
  /** Of a call that was not learnt from: how often the second opinion is what the label says. Absent with too few labels to try. */
  readonly agreement?: Share
  readonly kappa?: number
  readonly precision?: Share
  readonly recall?: Share
  /** The same of the rules, over the same calls. */
  readonly rules: { readonly agreement: Share; readonly precision: Share; readonly recall: Share }
  /** Calls in which it is as the rules have it. */
  readonly with_rules?: Share
  /** Where it is sure of what the rules don't find, and sure that what they find is not there: how often the label says so too. */
  readonly finds?: Share
  readonly doubts?: Share
}

/** What is learnt of one signal. */
export interface SignalClassifier extends LinearWeights {
  /** Chance of presence = 1 / (1 + exp(-(slope x log odds + offset))). */
  readonly slope: number
  readonly offset: number
}

export interface DistilledSignal {
  readonly trial: SignalTrial
  /** Why there is no second opinion on it: a sentence. Absent where there is one. */
  readonly unused?: string
  readonly classifier?: SignalClassifier
}

/**
 * Learns one signal from labelled calls, and tries what is learnt on calls it was not learnt from: five parts, each judged by a fit to the
 * other four (stratified cross-validation). The chance it gives is what these trials bear out (Platt scaling as Lin, Lin and Weng, 2007, have it).
 * The same calls in the same order give the same, to the bit.
 */
export function distilSignal(calls: readonly LabelledCall[]): DistilledSignal {
  const present = calls.filter(one => one.present).length
  const rules = judgedBy(calls.flatMap(one => (one.rules === undefined ? [] : [{ is: one.present, said: one.rules }])))
  const counts = {
    labels: calls.length,
    present,
    rules: { agreement: rules.agreement, precision: rules.precision, recall: rules.recall },
  }
  if (Math.min(present, calls.length - present) < FEWEST_LABELS) {
    return {
      trial: counts,
      unused: `It takes ${FEWEST_LABELS} labels of either kind; ${present} say present, ${calls.length - present} absent`,
    }
  }
  const folds = foldsOf(calls)
  const logOdds = new Float64Array(calls.length)
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const fit = fitSignal(calls.filter((_, at) => folds[at] !== fold))
    for (const [at, { turns }] of calls.entries()) if (folds[at] === fold) logOdds[at] = mostOf(fit, turns).logOdds
  }
  const { slope, offset } = scale(logOdds, calls)
  const chances = Array.from(logOdds, value => probability(slope * value + offset))
  const judged = judgedBy(calls.map((one, at) => ({ is: one.present, said: chances[at]! >= 0.5 })))
  const differs = (way: 'finds' | 'doubts') => {
    const some = calls.filter(
      ({ rules: found }, at) => found !== undefined && differenceOf(chances[at]!, found) === way,
    )
    return shareOf(some.filter(one => one.present === (way === 'finds')).length, some.length)
  }
  const read = calls.flatMap(({ rules: found }, at) => (found === undefined ? [] : [chances[at]! >= 0.5 === found]))
  const trial: SignalTrial = {
    ...counts,
    ...judged,
    with_rules: shareOf(read.filter(Boolean).length, read.length),
    finds: differs('finds'),
    doubts: differs('doubts'),
  }
  const unused = whyUnused(trial)
  return unused === undefined ? { trial, classifier: { ...fitSignal(calls), slope, offset } } : { trial, unused }
}

/** How a sure second opinion differs from the rules: it finds what they don't, or doubts what they find. */
export function differenceOf(chance: number, rules: boolean): 'finds' | 'doubts' | undefined {
  if (!rules && chance >= SURE) return 'finds'
  if (rules && chance <= 1 - SURE) return 'doubts'
  return undefined
}

/** Whether differences one way are told: labels sided with them more often than with the rules. */
export function isTold(share: Share | undefined): boolean {
  return share !== undefined && share.of >= FEWEST_DIFFERENCES && share.hits * 2 > share.of
}

function whyUnused({ labels, present, agreement, kappa = 0, finds, doubts }: SignalTrial): string | undefined {
  if (kappa < LEAST_KAPPA) return `Its kappa with labels is ${kappa.toFixed(2)}; it takes ${LEAST_KAPPA}`
  const commoner = Math.max(present, labels - present) / labels
  if ((agreement?.interval?.[0] ?? 0) <= commoner)
    return 'It is not surely right more often than one answer for all calls'
  if (isTold(finds) || isTold(doubts)) return undefined
  return 'Where it differs from the rules labels do not side with it more often'
}

function shareOf(hits: number, of: number): Share {
  const interval = shareInterval(hits, of, 1)
  return { hits, of, ...(interval && { share: hits / of, interval }) }
}

function judgedBy(calls: readonly { readonly is: boolean; readonly said: boolean }[]) {
  const count = (is: boolean, said: boolean) => calls.filter(one => one.is === is && one.said === said).length
  const [hit, extra, missed, rest] = [count(true, true), count(false, true), count(true, false), count(false, false)]
  const n = calls.length
  const chance = ((hit + extra) * (hit + missed) + (missed + rest) * (extra + rest)) / n ** 2
  const kappa = n === 0 || chance === 1 ? 0 : ((hit + rest) / n - chance) / (1 - chance)
  return {
    agreement: shareOf(hit + rest, n),
    kappa,
    precision: shareOf(hit, hit + extra),
    recall: shareOf(hit, hit + missed),
  }
}

/** Which part each call is in: of each label as many in each, and what has one text together. */
function foldsOf(calls: readonly LabelledCall[]): readonly number[] {
  const byText = new Map<string, number>()
  const next = { present: 0, absent: 0 }
  return calls.map(({ text, present }) => {
    const known = byText.get(text)
    if (known !== undefined) return known
    const kind = present ? 'present' : 'absent'
    const fold = next[kind] % FOLDS
    next[kind] += 1
    byText.set(text, fold)
    return fold
  })
}

/**
 * The chances that log odds stand for, by what labels say: logistic regression of one value by Newton's method, towards labels drawn a
 * little to the middle, so that what parts them wholly is not taken for certain.
 */
function scale(
  logOdds: Float64Array,
  calls: readonly LabelledCall[],
): { readonly slope: number; readonly offset: number } {
  const present = calls.filter(one => one.present).length
  const [high, low] = [(present + 1) / (present + 2), 1 / (calls.length - present + 2)]
  let [slope, offset] = [1, 0]
  const lossAt = (a: number, b: number) =>
    calls.reduce((sum, one, at) => {
      const value = a * logOdds[at]! + b
      return sum + Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value))) - (one.present ? high : low) * value
    }, 0)
  for (let step = 0; step < 100; step += 1) {
    let [ofSlope, ofOffset, square, cross, one] = [0, 0, 1e-9, 0, 1e-9]
    for (const [at, { present: is }] of calls.entries()) {
      const value = logOdds[at]!
      const p = probability(slope * value + offset)
      const off = p - (is ? high : low)
      ofSlope += off * value
      ofOffset += off
      square += p * (1 - p) * value ** 2
      cross += p * (1 - p) * value
      one += p * (1 - p)
    }
    const determinant = square * one - cross ** 2
    const [a, b] = [
      (one * ofSlope - cross * ofOffset) / determinant,
      (square * ofOffset - cross * ofSlope) / determinant,
    ]
    const before = lossAt(slope, offset)
    let share = 1
    while (share > 1e-6 && lossAt(slope - share * a, offset - share * b) > before) share /= 2
    slope -= share * a
    offset -= share * b
    if (Math.abs(a) + Math.abs(b) < 1e-6) break
  }
  return { slope, offset }
}
