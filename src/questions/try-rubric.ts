import { z } from 'zod'
import { callFields } from '../calls/call-fields.js'
import { callRecord } from '../calls/call-record.js'
import type { VersionedRubric } from '../evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../evaluation/rules/rules-evaluator.js'
import { toPlain } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { question, type Question } from './question.js'
import { readDocuments } from './read-document.js'
import { figure } from './figure.js'

/** Calls the sample is taken from: the newest with a transcript. */
const CANDIDATES = 20_000
/** Calls read at a time: their transcripts stay within an answer's bounds. */
const BATCH = 25
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

const trial = z.strictObject({ rubric: z.string(), summary, calls: z.array(row) })

/** Old against new scores of a sample. */
export type RubricTrial = z.infer<typeof trial>

/** What a rubric would say of a sample of the project's calls; nothing is saved. */
export function tryRubric({ rubric, version }: VersionedRubric): Question<{ readonly sample: number }, RubricTrial> {
  return question({
    name: 'try_rubric',
    title: 'Try a rubric',
    description: 'Old against new scores on a sample of calls, a share of each score band. Nothing is saved.',
    heavy: true,
    input: z.strictObject({ sample: z.int().min(1).max(500).default(50) }),
    output: trial,
    answer: async (asker, { sample }) => {
      const rules = new RulesEvaluator({ rubric, version, verticals: asker.project.verticals })
      const ids = await sampleOf(asker, sample)
      const calls: RubricTrial['calls'] = []
      for (let from = 0; from < ids.length; from += BATCH) {
        for (const call of await readCalls(asker, ids.slice(from, from + BATCH))) {
          calls.push(compare(call, rules, new Date(asker.now)))
        }
      }
      return { rubric: rubric.name, summary: summaryOf(calls), calls }
    },
  })
}

/** Ids of calls with a transcript: of each half-point band of their score, and of those without, in proportion. */
async function sampleOf(asker: Asker, most: number): Promise<readonly string[]> {
  const found = await asker.ask(
    [
      { $match: { 'transcript.0': { $exists: true } } },
      { $sort: { created_dt: -1, session_id: 1 } },
      { $limit: CANDIDATES },
      { $project: { _id: 0, session_id: 1, score: 1 } },
    ],
    { maxDocuments: CANDIDATES },
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
  return found.map(document => callRecord.parse(JSON.parse(JSON.stringify(toPlain(document)))))
}

function compare(call: z.infer<typeof callRecord>, rules: RulesEvaluator, at: Date): RubricTrial['calls'][number] {
  const { session_id, score: old_score, predicted_csat: old_csat } = call
  const before = {
    session_id,
    ...(old_score !== undefined && { old_score }),
    ...(old_csat !== undefined && { old_csat }),
  }
  const { fields, none } = rules.evaluate(call, at)
  if (fields === undefined) return { ...before, changed_signals: [], none }
  const { score: new_score, predicted_csat: new_csat } = fields
  const states = (signals: typeof call.signals) => new Map(signals?.map(({ key, state }) => [key, state] as const))
  const [old, now] = [states(call.signals), states(fields.signals)]
  const changed =
    call.signals === undefined
      ? []
      : [...new Set([...old.keys(), ...now.keys()])].filter(key => old.get(key) !== now.get(key))
  return {
    ...before,
    ...(new_score !== undefined && { new_score }),
    ...(new_csat !== undefined && { new_csat }),
    changed_signals: changed,
  }
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
