import { failing } from '../../compile/fails.js'
import { foundSql } from '../../compile/found-sql.js'
import { type Fragment, bind, identifier, join, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { withAbsent } from '../../compile/types.js'
import { foundDocuments, groupsOf, MATCH, regexOperator } from './regex-operator.js'

export const regexFind = regexOperator({
  name: '$regexFind',
  doc: {
    form: '{ $regexFind: { input: <string>, regex: <pattern>, options: <i, m, s, x> } }',
    meaning:
      'The first match of a pattern as {match, idx, captures}: its text, where it begins in characters, its groups; null when there is none and for null and missing.',
    example: {
      expression: { $regexFind: { input: '$title', regex: 'order ([0-9]+)' } },
      document: { title: 'Where is order 66?' },
      result: { match: 'order 66', idx: 9, captures: ['66'] },
    },
  },
  absent: null,
  evaluate: (text, pattern) => {
    for (const found of foundDocuments(text, pattern.matches(text))) return found
    return null
  },
  sql: (input, pattern) => {
    const { engine } = pattern
    const groups = groupsOf(pattern)
    if (engine === undefined || groups === undefined) return undefined
    const taken = take([input], { operator: '$regexFind', wanted: 'string', wants: 'strings as input', nulls: 'null' })
    const text = taken?.operands[0]
    const found = text && foundSql(text.sql, pattern)
    if (taken === undefined || text === undefined || found === undefined) return undefined
    const by = bind(engine, 'VARCHAR')
    const match = sql`regexp_extract(${text.sql}, ${by})`
    const captures = groups.map(group => sql`regexp_extract(${text.sql}, ${by}, ${group})`)
    // What stands before the first place where the pattern is found.
    const before = sql`regexp_extract(${text.sql}, ${bind(`\\A((?s:.*?))(?:${engine})`, 'VARCHAR')}, 1)`
    const fields: readonly (readonly [string, Fragment])[] = [
      ['match', match],
      ['idx', sql`length(${before})::bigint`],
      ['captures', sql`[${join(captures, ', ')}]::varchar[]`],
    ]
    const whenFound = (value: Fragment) => sql`(case when ${found} then ${value} end)`
    const document = sql`struct_pack(${join(
      fields.map(([name, value]) => sql`${identifier(name)} := ${value}`),
      ', ',
    )})`
    const value = given(taken, whenFound(document), { kind: 'struct', fields: MATCH })
    // Each is computed only where it is read.
    const parts = new Map(
      fields.map(([name, part]) => [name, { sql: whenFound(part), type: withAbsent(MATCH.get(name)!, 'missing') }]),
    )
    return failing({ ...value, parts, type: { ...value.type, absent: 'null' } }, input.fails)
  },
})
