import { z } from 'zod'
import type { Asker } from './asker.js'
import { type Kind, eachOf, isOf, readBy } from './kinds.js'
import { readDocuments } from './read-document.js'

/** A name is a text, but for a reading: a key and its value, which arguments write as one. */
const name = z.union([
  z.string(),
  z.object({ key: z.string(), value: z.string() }).transform(({ key, value }) => `${key}=${value}`),
])

/** The names of a kind that calls in scope have, those of most calls first. @param most names that are read */
export async function namesInScope(asker: Asker, kind: Kind, most: number): Promise<readonly string[]> {
  const found = await asker.ask(
    [
      { $match: { $and: isOf(kind) } },
      { $project: readBy(kind) },
      ...eachOf(kind),
      { $group: { _id: kind.by, calls: { $sum: 1 } } },
      { $sort: { calls: -1, ...(kind.order ?? { _id: 1 }) } },
      { $limit: most },
    ],
    { maxDocuments: most },
  )
  return readDocuments(z.object({ _id: name }), found).map(one => one._id)
}
