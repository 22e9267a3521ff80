import { lambdaName } from '../../compile/lambda.js'
import { type Fragment, sql, trusted } from '../../compile/sql.js'
import { ANY_DATE } from './read-any-date.js'

/** What readDateText reads, in the engine's patterns; it names groups of constant patterns only. */
const ISO = trusted(
  String.raw`'(?i)^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)? ?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$'`,
)

/** Whether a text of which ISO 8601 tells no date may be one by another spelling. */
export function isOtherDateSql(text: Fragment, iso: Fragment): Fragment {
  return sql`(${iso} is null and regexp_matches(${text}, ${trusted(`'${ANY_DATE}'`)}) and not regexp_matches(${text}, ${ISO}))`
}

/**
 * The instant an ISO 8601 text means, without an offset in UTC; NULL for every other text, as readDateText has it. The
 * engine's own casts read other spellings.
 */
export function dateTextSql(text: Fragment): Fragment {
  const parts = lambdaName()
  const part = (name: 'date' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone') =>
    sql`struct_extract(${parts}, ${trusted(`'${name}'`)})`
  const whole = (digits: Fragment) => sql`coalesce(try_cast(nullif(${digits}, '') as bigint), 0)`
  const [hour, minute, second] = [whole(part('hour')), whole(part('minute')), whole(part('second'))]
  const millisecond = whole(sql`left(rpad(${part('fraction')}, 3, '0'), 3)`)
  const isOffset = sql`(${part('zone')} <> '' and upper(${part('zone')}) <> 'Z')`
  const offset = sql`rpad(replace(substr(${part('zone')}, 2), ':', ''), 4, '0')`
  const [hours, minutes] = [whole(sql`left(${offset}, 2)`), whole(sql`right(${offset}, 2)`)]
  const isReal = sql`(${hour} <= 23 and ${minute} <= 59 and ${second} <= 59 and (not ${isOffset} or (${hours} <= 23 and ${minutes} <= 59)))`
  const time = sql`((${hour} * 60 + ${minute}) * 60 + ${second}) * 1000 + ${millisecond}`
  const ahead = sql`(case when ${isOffset} then (case when left(${part('zone')}, 1) = '-' then -1 else 1 end) * (${hours} * 60 + ${minutes}) * 60000 else 0 end)`
  const instant = sql`try_cast(${part('date')} as date)::timestamp + to_milliseconds(${time} - ${ahead})`
  const found = sql`regexp_extract(${text}, ${ISO}, ['date', 'hour', 'minute', 'second', 'fraction', 'zone'])`
  return sql`list_extract(list_transform([${found}], lambda ${parts}: (case when ${isReal} then ${instant} end)), 1)`
}
