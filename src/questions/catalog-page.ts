import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { Asker } from './asker.js'

const place = z.int().min(0)

export interface CatalogPage<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly next: string | undefined
}

/**
 * A page of a list that is held in memory, in a fixed order; the cursor holds how many came before.
 * @param query the arguments without the cursor, which the cursor is bound to
 */
export function catalogPage<T>(
  asker: Asker,
  question: string,
  { cursor, ...query }: { readonly cursor?: string | undefined; readonly limit: number },
  all: readonly T[],
): CatalogPage<T> {
  const opened =
    cursor === undefined
      ? { success: true as const, data: 0 }
      : place.safeParse(asker.cursors.open(question, query, cursor))
  if (!opened.success) throw new Problem('invalid_input', 'Cursor belongs to another query')
  const end = opened.data + query.limit
  return {
    items: all.slice(opened.data, end),
    total: all.length,
    next: end < all.length ? asker.cursors.seal(question, query, end) : undefined,
  }
}
