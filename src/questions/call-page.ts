import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { Asker } from './asker.js'
import { readDocuments } from './read-document.js'
import { type OrderedRow, type SortOrder, afterPosition, orderOf, positionSchema } from './search-order.js'

/** Calls that match, of which a page by date is not soon found: in five million one of 20,000. */
const FEW = 256

interface PageOf<Row> {
  /** Name of the question, which its cursors are bound to. */
  readonly question: string
  /** Its arguments; the cursor is bound to all of them but itself. */
  readonly args: { readonly cursor?: string | undefined; readonly sort: SortOrder; readonly limit: number }
  /** The conditions a call must meet. */
  readonly matching: readonly object[]
  /** What of a call is read; `_id`, `created_dt`, `score` and `lift` are what the orders need. */
  readonly projection: object
  readonly row: z.ZodType<Row>
}

/** A page of calls. */
export interface CallPage<Row> {
  readonly rows: readonly Row[]
  /** Calls that match, on all pages. */
  readonly total: number
  /** The cursor of the next page, while there is more. */
  readonly next: string | undefined
}

/** Lists the calls that meet all conditions, in a total order, a page at a time. */
export async function callPage<Row extends OrderedRow>(
  asker: Asker,
  { question, args, matching, projection, row }: PageOf<Row>,
): Promise<CallPage<Row>> {
  const { cursor: sealed, ...query } = args
  const order = orderOf(args.sort)
  const position =
    sealed === undefined ? undefined : positionSchema.safeParse(asker.cursors.open(question, query, sealed))
  if (position?.success === false) throw new Problem('invalid_input', 'Cursor belongs to another query')
  const after = position === undefined ? [] : [afterPosition(order, position.data)]
  const [counted] = await asker.ask([{ $match: { $and: matching } }, { $count: 'total' }])
  const total = z.int().parse(counted?.['total'] ?? 0)
  if (total === 0) return { rows: [], total, next: undefined }
  const page = await asker.show(
    [{ $match: { $and: [...matching, ...after] } }, ...order.stages, { $limit: args.limit + 1 }],
    { $project: projection },
    { maxDocuments: args.limit + 1, ...(total > FEW && order.field === 'created_dt' && { endsEarly: true }) },
  )
  const found = readDocuments(row, page)
  const rows = found.slice(0, args.limit)
  const last = rows.at(-1)
  return {
    rows,
    total,
    next: found.length > args.limit && last ? asker.cursors.seal(question, query, order.positionOf(last)) : undefined,
  }
}
