import { jsonKind } from './json-kind.js'
import { alternative } from './opaque.js'
import { type Fragment, identifier, join, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** Truthiness as SQL, NULL counting as false: only false, 0, null and missing are false. */
export function truthySql({ sql: value, type, test }: SqlExpression): Fragment {
  switch (type.kind) {
    case 'bool':
      return test ?? value
    case 'int':
    case 'double':
      return sql`${value} <> 0`
    case 'nothing':
      return sql`false`
    case 'open':
      return sql`(case when ${jsonKind.isBool(value)} then ${value}::varchar = 'true' when ${jsonKind.isNumber(value)} then ${jsonKind.number(value)} <> 0 else not ${jsonKind.isNull(value)} end)`
    case 'varied': {
      const truths = type.of.map((one, place) => {
        const part = sql`(${value}).${identifier(alternative(place))}`
        return sql`(${part} is not null and ${truthySql({ sql: part, type: one })})`
      })
      return sql`(${join(truths, ' or ')})`
    }
    default:
      return sql`${value} is not null`
  }
}
