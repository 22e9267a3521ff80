import { boundedLength } from '../bounded.js'
import { failing } from '../../compile/fails.js'
import { lambdaName } from '../../compile/lambda.js'
import { bind, join, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlType } from '../../compile/types.js'
import { foundDocuments, groupsOf, MATCH, regexOperator } from './regex-operator.js'
import type { Found, Pattern } from '../../pattern.js'
import type { Value } from '../../value.js'

/** The matches up to the text's end: once a search would begin there MongoDB looks no further, also where nothing would match. */
function* searched(text: string, pattern: Pattern): Iterable<Found> {
  for (const found of pattern.matches(text)) {
    yield found
    const next = found.end > found.start ? found.end : found.end + 1
    if (next >= text.length) return
  }
}

export const regexFindAll = regexOperator({
  name: '$regexFindAll',
  doc: {
    form: '{ $regexFindAll: { input: <string>, regex: <pattern>, options: <i, m, s, x> } }',
    meaning:
      'Every match of a pattern as {match, idx, captures}, in order and without overlap; [] for null and missing.',
    example: {
      expression: { $regexFindAll: { input: '$title', regex: '[0-9]+' } },
      document: { title: '1 of 12' },
      result: [
        { match: '1', idx: 0, captures: [] },
        { match: '12', idx: 5, captures: [] },
      ],
    },
  },
  absent: [],
  evaluate: (text, pattern) => {
    const all: Value[] = []
    for (const found of foundDocuments(text, searched(text, pattern))) {
      boundedLength('$regexFindAll', all.length)
      all.push(found)
    }
    return all
  },
  // Where a match begins, the lengths of what stands between them and of
  // those before it tell; a match of nothing stands between nothing.
  sql: (input, pattern, context) => {
    const { engine } = pattern
    const groups = groupsOf(pattern)
    if (engine === undefined || groups === undefined) return undefined
    const demand = { operator: '$regexFindAll', wanted: 'string', wants: 'strings as input', nulls: 'null' } as const
    const taken = take([input], demand)
    const text = taken?.operands[0]
    if (taken === undefined || text === undefined || !context.perRow) return undefined
    const [place, between, match] = [lambdaName(), lambdaName(), lambdaName()]
    const by = bind(engine, 'VARCHAR')
    const matches = sql`regexp_extract_all(${text.sql}, ${by})`
    const captures = groups.map(group => sql`regexp_extract_all(${text.sql}, ${by}, ${group})[${place}]`)
    const pieces = sql`regexp_split_to_array(${text.sql}, ${by})`
    const before = sql`list_sum(list_transform(${pieces}[1:${place}], lambda ${between}: length(${between})))`
    const earlier = sql`coalesce(list_sum(list_transform(${matches}[1:${place} - 1], lambda ${between}: length(${between}))), 0)`
    const document = sql`struct_pack(match := ${match}, idx := (${before} + ${earlier})::bigint, captures := [${join(captures, ', ')}]::varchar[])`
    const all = sql`coalesce(list_transform(${matches}, lambda ${match}, ${place}: ${document}), [])`
    const found = context.exactUnless(sql`list_contains(${matches}, '')`, all)
    const of: SqlType = { kind: 'struct', fields: MATCH, absent: 'never' }
    return failing(
      { ...given(taken, found, { kind: 'list', of }), type: { kind: 'list', of, absent: 'never' } },
      input.fails,
    )
  },
})
