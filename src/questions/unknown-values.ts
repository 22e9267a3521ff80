import { z } from 'zod'
import { closest } from '../base/closest.js'
import { isObject } from '../base/is-object.js'
import { echo } from '../base/text.js'
import type { Asker } from './asker.js'
import { readDocuments } from './read-document.js'
import { occurs } from './why-empty.js'

/** Keys that calls hold in lists. */
const KEYS = new Set(['signals.key', 'guidance.key', 'scores.key', 'dimensions.key'])

/** A field of the user's own. */
const OWN = /^session_metadata\.[^.]+$/

/** The newest calls, whose values are known without a look at all calls; and most values of them that are compared. */
const NEWEST = 1_000
const MOST_VALUES = 1_000

/** Most fields whose values are looked for. */
const MOST_FIELDS = 2

/** The filter that a pipeline begins with; none of its fields where it begins with something else. */
export function firstFilter(pipeline: unknown): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(pipeline) ? pipeline[0] : undefined
  const filter = isObject(first) ? first['$match'] : undefined
  return isObject(filter) ? filter : {}
}

/** The text that a condition asks for. */
export function textAsked(condition: unknown): string | undefined {
  const value = isObject(condition) ? condition['$eq'] : condition
  return typeof value === 'string' ? value : undefined
}

/**
 * Advice about texts that the filter a pipeline begins with asks for in the user's own fields and in keys, and no call in
 * scope has there, with the closest that one has.
 */
export async function unknownValues(asker: Asker, pipeline: unknown): Promise<readonly string[]> {
  const asked = Object.entries(firstFilter(pipeline)).flatMap(([path, condition]) => {
    const value = textAsked(condition)
    const isLooked = KEYS.has(path) || (asker.text === 'full' && OWN.test(path))
    return value === undefined || !isLooked ? [] : [{ path, value }]
  })
  const advice = asked.slice(0, MOST_FIELDS).map(async ({ path, value }) => {
    if (await occurs(asker, { [path]: value }, { future: true })) return []
    const found = await asker.ask([
      { $sort: { created_dt: -1 } },
      { $limit: NEWEST },
      { $unwind: `$${KEYS.has(path) ? path.slice(0, path.indexOf('.')) : path}` },
      { $match: { [path]: { $type: 'string' } } },
      { $group: { _id: `$${path}` } },
      { $limit: MOST_VALUES },
    ])
    const known = readDocuments(z.object({ _id: z.string() }), found).map(({ _id: one }) => one)
    // A field that no call has is told by its name.
    if (known.length === 0) return []
    const near = closest(value, known)
    return [
      `pipeline[0].$match.${path}: no call has this value${near === undefined ? '' : `; the closest is ${echo(near)}`}`,
    ]
  })
  return (await Promise.all(advice)).flat()
}
