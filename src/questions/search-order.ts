import { z } from 'zod'

/** The orders of a list of calls. */
export const sortOrders = ['date_desc', 'date_asc', 'score_asc', 'score_desc', 'lift_desc'] as const
export type SortOrder = (typeof sortOrders)[number]

/** Where a page ended: the sort value of its last call (none = it had none) and its id. */
export const positionSchema = z.strictObject({ value: z.number().optional(), id: z.string() })
type Position = z.infer<typeof positionSchema>

/** What of a call its place in an order depends on. */
export interface OrderedRow {
  readonly _id: string
  readonly created_dt: Date
  readonly score?: number | undefined
  readonly lift?: number | undefined
}

/** A total order of calls: by a value, calls without it last, ties by session_id. */
interface Order {
  readonly field: string
  readonly descending: boolean
  /** The stages that put calls in this order. */
  readonly stages: readonly object[]
  positionOf(row: OrderedRow): Position
}

const FIELDS = {
  date_desc: { field: 'created_dt', descending: true, value: (row: OrderedRow) => row.created_dt.getTime() },
  date_asc: { field: 'created_dt', descending: false, value: (row: OrderedRow) => row.created_dt.getTime() },
  score_asc: { field: 'score', descending: false, value: (row: OrderedRow) => row.score },
  score_desc: { field: 'score', descending: true, value: (row: OrderedRow) => row.score },
  lift_desc: { field: 'outcome_lift.lift', descending: true, value: (row: OrderedRow) => row.lift },
} as const

export function orderOf(sort: SortOrder): Order {
  const { field, descending, value } = FIELDS[sort]
  const direction = descending ? -1 : 1
  // Descending already puts missing values last; ascending would put them first.
  const stages =
    sort === 'score_asc'
      ? [
          { $addFields: { without: { $cond: [{ $gt: [`$${field}`, null] }, 0, 1] } } },
          { $sort: { without: 1, [field]: direction, _id: 1 } },
        ]
      : [{ $sort: { [field]: direction, _id: 1 } }]
  return {
    field,
    descending,
    stages,
    positionOf: row => {
      const last = value(row)
      return { id: row._id, ...(last === undefined ? {} : { value: last }) }
    },
  }
}

/** The filter for what comes after a position in an order. */
export function afterPosition(order: Order, position: Position): object {
  const { field, descending } = order
  const later = { _id: { $gt: position.id } }
  if (position.value === undefined) return { $and: [{ [field]: null }, later] }
  const value = field === 'created_dt' ? { $date: position.value } : position.value
  return {
    $or: [
      { [field]: descending ? { $lt: value } : { $gt: value } },
      { $and: [{ [field]: { $eq: value } }, later] },
      ...(field === 'created_dt' ? [] : [{ [field]: null }]),
    ],
  }
}
