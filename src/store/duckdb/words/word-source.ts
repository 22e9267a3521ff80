import {
  bind,
  foundSql,
  type Fragment,
  type FoundTexts,
  join,
  type Pipeline,
  type Scope,
  type Source,
  sql,
  trusted,
} from '../../../pipeline/index.js'
import { callSource } from '../reading/call-source.js'
import { MOST_ROWS, rowOf, segmentOf } from './segments.js'

/** Shorter terms are in too many words. */
const LEAST_CHARACTERS = 3
/** Terms that are looked for in words; what else must be there is looked for in the texts of what has these. */
const MOST_TERMS = 8
/** What separates words, see make-segment.ts. */
const SEPARATOR = /[ \n]/

const TEXT = 'search_text'
const START = 'created_dt'

/** The table of calls for who looks for words in their texts: those in a segment are found by its words, the others by their texts. */
export const wordSource: Source = { ...callSource, finding }

/** Whether a pipeline begins by looking for words in texts. */
export function looksForWords({ stages }: Pipeline): boolean {
  return stages[0]?.finds?.patterns.some(({ field }) => field === TEXT) === true
}

function finding({ patterns, compares }: FoundTexts, restriction: Fragment, scope: Scope): Fragment | undefined {
  const plain = patterns.flatMap(({ pattern }) => pattern.plain ?? [])
  const usable = new Set(plain.filter(one => one.length >= LEAST_CHARACTERS && !SEPARATOR.test(one)))
  const terms = [...usable].slice(0, MOST_TERMS)
  if (terms.length === 0 || patterns.some(({ field }) => field !== TEXT)) return undefined
  const found = patterns.map(({ pattern }) => foundSql(trusted(TEXT), pattern))
  if (found.includes(undefined)) return undefined
  const texts = found.filter(one => one !== undefined)
  const unproved = texts.filter((_, i) => !terms.includes(patterns[i]?.pattern.plain ?? ''))
  const rows = sql`calls join (${bitsOf(terms, scope.projectId, compares)}) found on found.segment = ${trusted(segmentOf('place'))}
    where ${restriction} and get_bit(found.bits, ${trusted(rowOf('place'))}) = 1`
  const byWords =
    unproved.length === 0
      ? sql`select calls.* from ${rows}`
      : // By places, so that only the blocks of texts are read in which any is.
        sql`select * from calls where ${restriction} and place in (select place from ${rows}) and ${allOf(unproved)}`
  return sql`(${byWords} union all select * from calls where ${restriction} and place is null and ${allOf(texts)}) calls`
}

const allOf = (conditions: readonly Fragment[]) => join(conditions, ' and ')

/** By segment the rows whose calls have all of the terms, as bits. */
function bitsOf(terms: readonly string[], projectId: string, compares: FoundTexts['compares']): Fragment {
  const has = terms.map(term => sql`contains(word, ${bind(term, 'VARCHAR')})`)
  const named = (name: string, i: number) => trusted(`${name}${i}`)
  // Each word is looked at once, whatever number of terms there are.
  const words = sql`select segment, "rows", bits, ${join(
    has.map((one, i) => sql`${one} as ${named('has', i)}`),
    ', ',
  )} from words where project_id = ${bind(projectId, 'VARCHAR')} and (${join(has, ' or ')})${within(projectId, compares)}`
  const gathered = terms.map(
    (_, i) => sql`bit_or(bits) filter (where ${named('has', i)}) as ${named('bits', i)},
      flatten(list("rows") filter (where ${named('has', i)} and "rows" is not null)) as ${named('list', i)}`,
  )
  const each = terms.map(
    (_, i) => sql`(select segment, bit_or(bits) as bits from (
      select segment, ${named('bits', i)} as bits from gathered where ${named('bits', i)} is not null
      union all select segment, bitstring_agg("row", 0, ${trusted(String(MOST_ROWS - 1))}) as bits
      from (select segment, unnest(${named('list', i)})::integer as "row" from gathered) group by segment) group by segment) ${named('term', i)}${trusted(i === 0 ? '' : ' using (segment)')}`,
  )
  const all = terms.map((_, i) => sql`${named('term', i)}.bits`).reduce((one, other) => sql`${one} & ${other}`)
  const joined = each.reduce((one, other) => sql`${one} join ${other}`)
  return sql`with gathered as materialized (select segment, ${join(gathered, ', ')} from (${words}) group by segment)
    select segment, ${all} as bits from ${joined}`
}

/** The condition that a segment has calls of the time that is asked for. */
function within(projectId: string, compares: FoundTexts['compares']): Fragment {
  const bounds = compares.flatMap(({ field, op, operand }) => {
    if (field !== START || !(operand instanceof Date)) return []
    const at = bind(operand, 'TIMESTAMP')
    if (op === '>=' || op === '>') return [sql`last_at >= ${at}`]
    return op === '<' || op === '<=' ? [sql`first_at <= ${at}`] : []
  })
  if (bounds.length === 0) return sql``
  return sql` and segment in (select segment from word_segments where project_id = ${bind(projectId, 'VARCHAR')} and ${allOf(bounds)})`
}
