import { z } from 'zod'

const text = z.string()
const aboutCall = { project_id: text, session_id: text }

/**
 * What of a store its other parts don't give whole, or don't take as it was: it moves from store to store row by row. Instants are
 * ISO 8601 in UTC; what is not there is absent.
 */
export const movedRows = {
  /** What erased ids are hashed with: one row. */
  erasure_secrets: z.strictObject({ secret: text }),
  erased_calls: z.strictObject({ project_id: text, session_hash: text }),
  erasures: z.strictObject({ project_id: text, erased_at: text, erased_by: text, how: text, calls: z.int() }),
  inbound_taken: z.strictObject({ webhook_id: text, digest: text, taken_at: text }),
  report_calls: z.strictObject({ ...aboutCall, file: text }),
  model_answers: z.strictObject({ ...aboutCall, request: text, answer: text }),
  noted_calls: z.strictObject(aboutCall),
  event_deliveries: z.strictObject({
    seq: z.int(),
    delivery_id: text,
    project_id: text,
    webhook_id: text,
    event_id: text,
    event: text,
    subject: text,
    body: text,
    state: z.enum(['pending', 'delivered', 'dead']),
    attempts: z.int(),
    created_at: text,
    expires_at: text,
    next_at: text,
    attempted_at: text.exactOptional(),
    status: z.int().exactOptional(),
    failure: text.exactOptional(),
    duration_ms: z.number().exactOptional(),
  }),
} as const

export type MovedPart = keyof typeof movedRows
export type MovedRow<P extends MovedPart = MovedPart> = Readonly<z.output<(typeof movedRows)[P]>>

/** Reads and writes what moves row by row, while nobody else writes. */
export interface MovedRows {
  /** All rows of a part in their order, some at a time. */
  read<P extends MovedPart>(part: P): AsyncIterable<readonly MovedRow<P>[]>
  /** Puts rows in the place of all that are there. Cut off half way, it is done again from the beginning. */
  replace<P extends MovedPart>(part: P, rows: AsyncIterable<readonly MovedRow<P>[]>): Promise<void>
}

const schemas: { readonly [P in MovedPart]: z.ZodType<MovedRow<P>> } = movedRows

/** A row as a store has it, which holds null for what is not there. @throws ZodError where it is no such row */
export function movedRow<P extends MovedPart>(part: P, row: object): MovedRow<P> {
  const there = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined))
  return schemas[part].parse(there)
}
