import { otherWork } from '../../base/other-work.js'
import { LRUCache } from 'lru-cache'
import type { Threads, ThreadTask, ThreadWork, Turn } from '../../admission/threads.js'
import { Overrun } from '../../base/overrun.js'
import type { ModelReadings } from '../model/model-evaluator.js'
import {
  type Answered,
  type AskedEndpoint,
  type Concluded,
  ModelReading,
  type Prepared,
} from '../model/model-reading.js'
import { ModelFault } from '../model/model-fault.js'
import type { RunRubric } from './evaluate-batch.js'
import { type SentRubric, sentRubric } from './sent-rubric.js'

/** What a call is to be asked of a model. */
export const PREPARE_FOR_MODEL: ThreadWork<
  { readonly rubric: SentRubric; readonly json: string; readonly endpoint: AskedEndpoint },
  Prepared
> = { name: 'prepareForModel', deadlineMs: 60_000 }

/** What its answer comes to. */
export const CONCLUDE_FROM_MODEL: ThreadWork<
  {
    readonly rubric: SentRubric
    readonly json: string
    readonly at: number
    readonly model: string
    readonly answered: Answered
  },
  Concluded | undefined
> = { name: 'concludeFromModel', deadlineMs: 60_000 }

const made = new WeakMap<RunRubric, ModelReading>()

/** Reads in this thread: for a command, which answers nobody. */
export function readingsHere(rubric: RunRubric): ModelReadings {
  const reading = made.get(rubric) ?? new ModelReading(rubric)
  made.set(rubric, reading)
  return {
    prepare: async (json, endpoint) => {
      await otherWork()
      return reading.prepare(json, endpoint)
    },
    conclude: async (json, at, model, answered) => await reading.conclude(json, at, model, answered),
  }
}

/** Reads in the threads of a service, which others use too. */
export function readingsInTurns(rubric: RunRubric, threads: Threads, turn: Turn): ModelReadings {
  const sent = sentRubric(rubric)
  return {
    prepare: async (json, { kind, url, name, temperature, schema }) => {
      try {
        const endpoint = { kind, url, name, temperature, schema }
        return await threads.run(PREPARE_FOR_MODEL, { rubric: sent, json, endpoint }, turn)
      } catch (error) {
        if (error instanceof Overrun) return { none: `Evaluating it ${error.took}` }
        throw error
      }
    },
    conclude: async (json, at, model, answered) => {
      try {
        return await threads.run(CONCLUDE_FROM_MODEL, { rubric: sent, json, at, model, answered }, turn)
      } catch (error) {
        // The answer is paid for; no other one would be read faster.
        if (error instanceof Overrun) throw new ModelFault(`Evaluating it ${error.took}`)
        throw error
      }
    },
  }
}

/** Rubrics that a thread keeps made ready: each takes some tens of MB, and half a second when it is met again. */
const MOST_KEPT = 4

const kept = new LRUCache<string, ModelReading>({ max: MOST_KEPT })

function readingReceived({ key, json }: SentRubric): ModelReading {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = new ModelReading(JSON.parse(json) as RunRubric)
  kept.set(key, made)
  return made
}

/** The work of a thread. */
export function prepareForModel({ rubric, json, endpoint }: ThreadTask<typeof PREPARE_FOR_MODEL>): Prepared {
  return readingReceived(rubric).prepare(json, endpoint)
}

/** The work of a thread. */
export async function concludeFromModel({
  rubric,
  json,
  at,
  model,
  answered,
}: ThreadTask<typeof CONCLUDE_FROM_MODEL>): Promise<Concluded | undefined> {
  return await readingReceived(rubric).conclude(json, at, model, answered)
}
