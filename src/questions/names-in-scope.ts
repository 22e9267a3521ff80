import { z } from 'zod'
import type { Asker } from './asker.js'
import { readDocuments } from './read-document.js'

/** The names that calls in scope have in a field, those of most calls first. @param most names that are read */
export async function namesInScope(asker: Asker, field: string, most: number): Promise<readonly string[]> {
  const found = await asker.ask(
    [
      { $match: { [field]: { $ne: null } } },
      { $group: { _id: `$${field}`, calls: { $sum: 1 } } },
      { $sort: { calls: -1, _id: 1 } },
      { $limit: most },
    ],
    { maxDocuments: most },
  )
  return readDocuments(z.object({ _id: z.string() }), found).map(one => one._id)
}
