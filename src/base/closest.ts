import { distance } from 'fastest-levenshtein'

/** Longest word worth comparing: an error must not cost more than the answer it replaces. */
const LONGEST_COMPARED = 100

/** Shortest name that counts as meant when it is part of an accepted one: "agent" of agent_name. */
const SHORTEST_PART = 3

/**
 * Names of arguments and fields that people, and models, write for each other, in one row. Our own tools call the same
 * thing by two names in places, as their definitions are given.
 */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['date_from', 'start_date', 'from', 'from_date', 'since', 'after', 'start', 'start_time', 'period'],
  ['date_to', 'end_date', 'to', 'to_date', 'until', 'before', 'end', 'end_time', 'period'],
  ['text', 'query', 'q', 'search', 'search_text', 'search_query', 'term', 'keyword', 'keywords', 'phrase'],
  ['agent_name', 'agent_id', 'agent', 'agents', 'rep'],
  ['limit', 'top', 'page_size', 'per_page', 'max_results', 'count', 'n', 'top_k', 'size'],
  ['cursor', 'page_token', 'next_cursor', 'page', 'offset', 'skip'],
  ['sort', 'sort_by', 'order', 'order_by'],
  ['session_id', 'interaction_id', 'call_id', 'conversation_id', 'id'],
  ['pipeline', 'aggregation', 'stages'],
  ['driver', 'reason', 'call_driver', 'contact_reason', 'topic'],
  ['interval', 'granularity', 'group_by', 'bucket'],
  ['user_email', 'email', 'user', 'user_id'],
]

/** How far a written name is from an accepted one; a part of a name is nearer than any misspelling of another. */
function farness(written: string, accepted: string): number {
  const a = written.toLowerCase()
  const b = accepted.toLowerCase()
  const isPart = Math.min(a.length, b.length) >= SHORTEST_PART && (b.includes(a) || a.includes(b))
  if (isPart) return Math.abs(a.length - b.length) / LONGEST_COMPARED
  const far = distance(a, b)
  // Every letter is another one: short names have nothing in common then, however few letters that are.
  return far >= Math.max(a.length, b.length) ? Infinity : far
}

/** The accepted name of the same meaning as what was written, or else the nearest, when it is near enough to be what was meant. */
export function meantName(written: string, accepted: readonly string[]): string | undefined {
  const row = SAME_MEANING.find(names => names.includes(written.toLowerCase()))
  return row?.find(name => accepted.includes(name)) ?? closest(written, accepted)
}

/** The accepted name nearest to what was written, when it is near enough to be what was meant. */
export function closest(written: string, accepted: Iterable<string>): string | undefined {
  if (written.length > LONGEST_COMPARED) return undefined
  let best: string | undefined
  let nearest = Math.max(2, Math.floor(written.length * 0.4)) + 1
  for (const name of accepted) {
    const far = farness(written, name)
    if (far < nearest) {
      best = name
      nearest = far
    }
  }
  return best
}
