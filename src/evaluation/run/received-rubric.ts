import { LRUCache } from 'lru-cache'
import { RulesEvaluator } from '../rules/rules-evaluator.js'
import type { RunRubric } from './evaluate-batch.js'
import type { SentRubric } from './sent-rubric.js'

/** Rubrics that a thread keeps made ready: each takes some tens of MB, and half a second when it is met again. */
const MOST_KEPT = 4

const kept = new LRUCache<string, RulesEvaluator>({ max: MOST_KEPT })

/** The evaluator of a rubric that came to this thread, made ready. */
export function rulesReceived({ key, json }: SentRubric): RulesEvaluator {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = new RulesEvaluator(JSON.parse(json) as RunRubric)
  kept.set(key, made)
  return made
}
