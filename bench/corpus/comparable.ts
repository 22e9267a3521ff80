/**
 * Documents, or rows of SQL, as texts in an order of their own, so that two answers to one question can be compared:
 * fields without null, their order free, numbers to nine digits, buckets named by number or by text.
 */
export function comparable(rows: readonly object[]): readonly string[] {
  return rows.map(row => JSON.stringify(plain(row))).toSorted()
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('{') ? plain(JSON.parse(value)) : value
  if (typeof value === 'number' || typeof value === 'bigint') return String(Number(Number(value).toPrecision(9)))
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const kept = plain(inner)
    return kept === null ? [] : [[name, kept]]
  })
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
