import { z } from 'zod'
import type { Threads, Turn } from '../admission/threads.js'
import { callFields } from '../calls/call-fields.js'
import type { VersionedRubric } from '../evaluation/rubric/built-in-rubrics.js'
import { withVerticals } from '../evaluation/rubric/signal-catalogs.js'
import { rulesInTurns } from '../evaluation/run/batch-evaluator.js'
import type { CallEvaluated } from '../evaluation/stored-call.js'
import { toPlain } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { labelsOf, type PeopleLabel, verdictsOf } from './people-labels.js'
import { question, type Question } from './question.js'
import { readDocuments } from './read-document.js'
import { figure } from './figure.js'

/** Calls the sample is taken from: the newest with a transcript. */
const CANDIDATE_CALLS = 20_000
/** Calls read at a time: their transcripts stay within an answer's bounds. */
const BATCH_CALLS = 25
/** Calls whose judged signals are held against a rubric, those judged last. */
const MOST_JUDGED = 100
const WHOLE = { _id: 0, ...Object.fromEntries(callFields.map(({ name }) => [name, 1])) }

const summary = z.strictObject({
  calls: z.int(),
  evaluated: z.int(),
  /** Scored both before and now. */
  compared: z.int(),
  higher: z.int(),
  lower: z.int(),
  same: z.int(),
  average_old: figure.optional(),
  average_new: figure.optional(),
})

const row = z.strictObject({
  session_id: z.string(),
  old_score: z.number().optional(),
  new_score: z.number().optional(),
  old_csat: z.number().optional(),
  new_csat: z.number().optional(),
  /** Signals whose state is another one now. */
  changed_signals: z.array(z.string()),
  /** Why there is no evaluation. */
  none: z.string().optional(),
})

/** Old against new scores of a sample. */
export const rubricTrial = z.strictObject({
  rubric: z.string(),
  summary,
  calls: z.array(row),
  labels: z
    .strictObject({
      judged: z.int(),
      right_before: z.int(),
      right_now: z.int(),
      signals: z
        .array(
          z.strictObject({
            signal_key: z.string(),
            judged: z.int(),
            right_before: z.int(),
            right_now: z.int(),
            precision_before: figure.optional(),
            precision_now: figure.optional().meta({
              description:
                'Share of those found present of which people say so too, by this rubric; absent where it finds none',
            }),
          }),
        )
        .meta({ description: 'The same of each signal, most often judged first' }),
      worse: z
        .array(
          z.strictObject({ session_id: z.string(), signal_key: z.string(), should_be: z.enum(['present', 'absent']) }),
        )
        .meta({ description: 'Signals that were right by what people said of them, and are not any more' }),
    })
    .optional()
    .meta({
      description: 'What becomes of the signals that people agreed with or disputed, of the 100 calls judged last',
    }),
})
export type RubricTrial = z.infer<typeof rubricTrial>

/**
 * What a rubric would say of a sample of the project's calls; nothing is saved.
 * @param threads where calls are read by it
 */
export function tryRubric(
  given: VersionedRubric,
  threads: Threads,
  turn: Turn,
): Question<{ readonly sample: number }, RubricTrial> {
  return question({
    name: 'try_rubric',
    title: 'Try a rubric',
    description: 'Old against new scores on a sample of calls, a share of each score band. Nothing is saved.',
    input: z.strictObject({ sample: z.int().min(1).max(500).default(50) }),
    output: rubricTrial,
    answer: async (asker, { sample }) => {
      const { verticals } = asker.project
      const rules = rulesInTurns({ ...given, rubric: withVerticals(given.rubric, verticals), verticals }, threads, turn)
      const ids = await sampleOf(asker, sample)
      const calls: RubricTrial['calls'] = []
      for (let from = 0; from < ids.length; from += BATCH_CALLS) {
        const read = await readCalls(asker, ids.slice(from, from + BATCH_CALLS))
        const found = await rules.run({ calls: read.map(({ json }) => json), at: asker.now })
        for (const [at, { before }] of read.entries()) calls.push(compare(before, found[at]!))
      }
      const labels = labelsOf(await verdictsOf(asker))
      const judged = [...new Set(labels.map(one => one.session_id))].slice(-MOST_JUDGED)
      const states: JudgedStates = new Map()
      for (let from = 0; from < judged.length; from += BATCH_CALLS) {
        const read = await readCalls(asker, judged.slice(from, from + BATCH_CALLS))
        const found = await rules.run({ calls: read.map(({ json }) => json), at: asker.now })
        for (const [at, { before }] of read.entries()) {
          const one = found[at]!
          if ('json' in one)
            states.set(before.session_id ?? '', [presentIn(before), presentIn(evaluation.parse(JSON.parse(one.json)))])
        }
      }
      const kept = labels.filter(one => states.has(one.session_id))
      return {
        rubric: given.rubric.name,
        summary: summaryOf(calls),
        calls,
        ...(kept.length > 0 && { labels: heldAgainst(kept, states) }),
      }
    },
  })
}

/** Ids of calls with a transcript: of each half-point band of their score, and of those without, in proportion. */
async function sampleOf(asker: Asker, most: number): Promise<readonly string[]> {
  const found = await asker.ask(
    [
      { $match: { 'transcript.0': { $exists: true } } },
      { $sort: { created_dt: -1, session_id: 1 } },
      { $limit: CANDIDATE_CALLS },
      { $project: { _id: 0, session_id: 1, score: 1 } },
    ],
    { maxDocuments: CANDIDATE_CALLS },
  )
  const strata = new Map<number, string[]>()
  for (const { session_id: id, score } of readDocuments(candidate, found)) {
    const band = score === undefined ? -1 : Math.floor(score * 2)
    strata.set(band, [...(strata.get(band) ?? []), id])
  }
  const all = [...strata].toSorted(([a], [b]) => a - b).flatMap(([, ids]) => ids)
  // Calls lie band by band: every n-th of them is a share of each.
  const count = Math.min(most, all.length)
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / count)]!)
}

const candidate = z.object({ session_id: z.string(), score: z.number().optional() })

async function readCalls(asker: Asker, ids: readonly string[]) {
  const found = await asker.ask([
    { $match: { session_id: { $in: ids } } },
    { $sort: { session_id: 1 } },
    { $project: WHOLE },
  ])
  return found.map(document => {
    const plain = toPlain(document)
    return { before: evaluation.parse(plain), json: JSON.stringify(plain) }
  })
}

/** What is compared of a call, before and now. */
const evaluation = z.object({
  session_id: z.string().optional(),
  score: z.number().nullish(),
  predicted_csat: z.number().nullish(),
  signals: z.array(z.object({ key: z.string(), state: z.string() })).nullish(),
})
type Compared = z.infer<typeof evaluation>

function compare(old: Compared, found: CallEvaluated): RubricTrial['calls'][number] {
  const { session_id = '', score: oldScore, predicted_csat: oldCsat } = old
  const before = {
    session_id,
    ...(typeof oldScore === 'number' && { old_score: oldScore }),
    ...(typeof oldCsat === 'number' && { old_csat: oldCsat }),
  }
  if (!('json' in found)) return { ...before, changed_signals: [], ...('none' in found && { none: found.none }) }
  const now = evaluation.parse(JSON.parse(found.json))
  const states = (signals: Compared['signals']) => new Map(signals?.map(({ key, state }) => [key, state] as const))
  const [were, are] = [states(old.signals), states(now.signals)]
  const changed = old.signals
    ? [...new Set([...were.keys(), ...are.keys()])].filter(key => were.get(key) !== are.get(key))
    : []
  return {
    ...before,
    ...(typeof now.score === 'number' && { new_score: now.score }),
    ...(typeof now.predicted_csat === 'number' && { new_csat: now.predicted_csat }),
    changed_signals: changed,
  }
}

/** Keys of the signals of a call that are present, before and now. */
type JudgedStates = Map<string, readonly [before: ReadonlySet<string>, now: ReadonlySet<string>]>

const presentIn = ({ signals }: Compared): ReadonlySet<string> =>
  new Set(signals?.flatMap(({ key, state }) => (state === 'present' ? [key] : [])))

interface HeldLabel extends PeopleLabel {
  /** Whether it was found present, and whether it is now. */
  readonly before: boolean
  readonly now: boolean
}

/** What a rubric does to what people said of signals. */
function heldAgainst(labels: readonly PeopleLabel[], states: JudgedStates): NonNullable<RubricTrial['labels']> {
  const held = labels.map((label): HeldLabel => {
    const [before, now] = states.get(label.session_id)!
    return { ...label, before: before.has(label.signal_key), now: now.has(label.signal_key) }
  })
  const bySignal = new Map<string, HeldLabel[]>()
  for (const one of held) bySignal.set(one.signal_key, [...(bySignal.get(one.signal_key) ?? []), one])
  return {
    ...rightOf(held),
    signals: [...bySignal]
      .toSorted(([a, { length: ofA }], [b, { length: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
      .map(([signal_key, some]) =>
        defined({
          signal_key,
          ...rightOf(some),
          precision_before: precisionOf(some, 'before'),
          precision_now: precisionOf(some, 'now'),
        }),
      ),
    worse: held.flatMap(({ session_id, signal_key, present, before, now }) =>
      before === present && now !== present
        ? [{ session_id, signal_key, should_be: present ? ('present' as const) : ('absent' as const) }]
        : [],
    ),
  }
}

const rightOf = (held: readonly HeldLabel[]) => ({
  judged: held.length,
  right_before: held.filter(one => one.before === one.present).length,
  right_now: held.filter(one => one.now === one.present).length,
})

function precisionOf(held: readonly HeldLabel[], when: 'before' | 'now'): number | undefined {
  const found = held.filter(one => one[when])
  return found.length === 0 ? undefined : found.filter(one => one.present).length / found.length
}

function summaryOf(calls: RubricTrial['calls']): RubricTrial['summary'] {
  const pairs = calls.flatMap(({ old_score: old, new_score: now }) =>
    old === undefined || now === undefined ? [] : [{ old, now }],
  )
  const mean = (values: readonly number[]) =>
    values.length === 0 ? undefined : Math.round((values.reduce((a, b) => a + b, 0) / values.length) * 100) / 100
  const averageOld = mean(calls.flatMap(({ old_score: old }) => old ?? []))
  const averageNew = mean(calls.flatMap(({ new_score: now }) => now ?? []))
  return {
    calls: calls.length,
    evaluated: calls.filter(({ none }) => none === undefined).length,
    compared: pairs.length,
    higher: pairs.filter(({ old, now }) => now > old).length,
    lower: pairs.filter(({ old, now }) => now < old).length,
    same: pairs.filter(({ old, now }) => now === old).length,
    ...(averageOld !== undefined && { average_old: averageOld }),
    ...(averageNew !== undefined && { average_new: averageNew }),
  }
}
