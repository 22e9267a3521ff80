import { z } from 'zod'
import { isUnprintable } from '../../base/text.js'
import { type Complete, firstOf, MOST_VALUES, NO_VALUES } from '../completion.js'
import { readDocuments } from '../read-document.js'

/** Sorts after every text that goes on from a beginning. */
const LAST = '\u{10ffff}'

/** Ids of calls in scope that begin with what was typed, the newest calls first. */
export const completeSessionId: Complete = async (asker, typed) => {
  if (isUnprintable(typed)) return NO_VALUES
  // A range of texts instead of a pattern: nothing to escape, and the engine compares without reading the text.
  const filter = typed === '' ? [] : [{ $match: { session_id: { $gte: typed, $lt: `${typed}${LAST}` } } }]
  const documents = await asker.ask(
    [...filter, { $sort: { created_dt: -1, _id: 1 } }, { $limit: MOST_VALUES + 1 }, { $project: { _id: 1 } }],
    { maxDocuments: MOST_VALUES + 1 },
  )
  return firstOf(readDocuments(z.object({ _id: z.string() }), documents).map(row => row._id))
}
