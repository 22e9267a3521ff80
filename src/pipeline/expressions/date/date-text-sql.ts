import { RE2JS } from 're2js'
import { bound } from '../../compile/lambda.js'
import { type Fragment, bind, join, sql, trusted } from '../../compile/sql.js'
import type { CompileContext } from '../../tree.js'
import { codePoints } from '../string/code-points.js'
import { type FormatPart, monthNames, readFormat } from './date-format.js'
import { ANY_DATE } from './read-any-date.js'
import { READ_SPECIFIERS, formatLetters, formatPattern } from './read-formatted-date.js'

/** What readDateText reads, in the engine's patterns; it names groups of constant patterns only. */
const ISO = trusted(
  String.raw`'(?i)^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)? ?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$'`,
)

/** Whether a text of which ISO 8601 tells no date may be one by another spelling. */
function isOtherDateSql(text: Fragment, iso: Fragment): Fragment {
  return sql`(${iso} is null and regexp_matches(${text}, ${trusted(`'${ANY_DATE}'`)}) and not regexp_matches(${text}, ${ISO}))`
}

/** What of a date a text tells, each as a text; empty where it tells nothing of it. */
interface DateTexts {
  /** `yyyy-mm-dd` */
  readonly date: Fragment
  readonly hour: Fragment
  readonly minute: Fragment
  readonly second: Fragment
  readonly fraction: Fragment
  /** Z, or an offset such as +01:30, +0130 or +01. */
  readonly zone: Fragment
}

/** What `body` makes of a value that is computed once. */
function once(value: Fragment, body: (value: Fragment) => Fragment): Fragment {
  const { names, around } = bound([value])
  return around(body(names[0]!))
}

/** The instant they mean, without an offset in UTC; NULL where there is none, as readDateText has it. */
function instantSql({ date, zone, fraction, ...clock }: DateTexts): Fragment {
  const whole = (digits: Fragment) => sql`coalesce(try_cast(nullif(${digits}, '') as bigint), 0)`
  const [hour, minute, second] = [whole(clock.hour), whole(clock.minute), whole(clock.second)]
  const millisecond = whole(sql`left(rpad(${fraction}, 3, '0'), 3)`)
  const isOffset = sql`(${zone} <> '' and upper(${zone}) <> 'Z')`
  const offset = sql`rpad(replace(substr(${zone}, 2), ':', ''), 4, '0')`
  const [hours, minutes] = [whole(sql`left(${offset}, 2)`), whole(sql`right(${offset}, 2)`)]
  const isReal = sql`(${hour} <= 23 and ${minute} <= 59 and ${second} <= 59 and (not ${isOffset} or (${hours} <= 23 and ${minutes} <= 59)))`
  const time = sql`((${hour} * 60 + ${minute}) * 60 + ${second}) * 1000 + ${millisecond}`
  const ahead = sql`(case when ${isOffset} then (case when left(${zone}, 1) = '-' then -1 else 1 end) * (${hours} * 60 + ${minutes}) * 60000 else 0 end)`
  return sql`(case when ${isReal} then try_cast(${date} as date)::timestamp + to_milliseconds(${time} - ${ahead}) end)`
}

/**
 * The instant an ISO 8601 text means, without an offset in UTC; NULL for every other text, as readDateText has it. The
 * engine's own casts read other spellings.
 */
function dateTextSql(text: Fragment): Fragment {
  const found = sql`regexp_extract(${text}, ${ISO}, ['date', 'hour', 'minute', 'second', 'fraction', 'zone'])`
  return once(found, parts => {
    const part = (name: keyof DateTexts) => sql`struct_extract(${parts}, ${trusted(`'${name}'`)})`
    return instantSql({
      date: part('date'),
      hour: part('hour'),
      minute: part('minute'),
      second: part('second'),
      fraction: part('fraction'),
      zone: part('zone'),
    })
  })
}

/** A text as a date: ISO 8601, and quickly a day alone; other dates are left to the evaluator. */
export function isoDateSql(text: Fragment, context: Pick<CompileContext, 'exactUnless'>): Fragment {
  const iso = dateTextSql(text)
  const any = context.exactUnless(isOtherDateSql(text, iso), iso)
  return sql`(case when ${isDaySql(text)} then try_cast(${text} as date)::timestamp else ${any} end)`
}

const isDaySql = (text: Fragment) => sql`regexp_full_match(${text}, ${trusted(String.raw`'\d{4}-\d{2}-\d{2}'`)})`

/** Specifiers of a date by its year, month and day, which the engine reads by a format. */
const BY_MONTH = /^[YmbBdHMSLz]$/

/** Those whose numbers are mostly written with so many digits. */
const DIGITS: Readonly<Record<string, number>> = { Y: 4, m: 2, d: 2, H: 2, M: 2, S: 2, L: 3 }

const NONE = sql`''`

/** The instant that the parts of a text by a format mean; those that the format does not have are at their least. */
function partsSql(month: Fragment | undefined, part: (letter: string) => Fragment | undefined): Fragment {
  const date = sql`${part('Y')!} || '-' || ${month ?? part('m') ?? sql`'01'`} || '-' || ${part('d') ?? sql`'01'`}`
  if (!['H', 'M', 'S', 'L', 'z'].some(letter => part(letter) !== undefined))
    return sql`try_cast(${date} as date)::timestamp`
  return instantSql({
    date,
    hour: part('H') ?? NONE,
    minute: part('M') ?? NONE,
    second: part('S') ?? NONE,
    fraction: part('L') ?? NONE,
    zone: part('z') ?? NONE,
  })
}

/** The text of a format of numbers written with all their digits, where each stands at one place: quick to cut. */
function evenSql(text: Fragment, parts: readonly FormatPart[]) {
  const places = new Map<string, Fragment>()
  let pattern = ''
  let end = 0
  for (const part of parts) {
    const length = 'text' in part ? codePoints(part.text) : DIGITS[part.specifier]
    if (length === undefined) return undefined
    pattern += 'text' in part ? RE2JS.quote(part.text) : `\\d{${length}}`
    if ('specifier' in part)
      places.set(part.specifier, sql`substr(${text}, ${trusted(String(end + 1))}, ${trusted(String(length))})`)
    end += length
  }
  const isEven = sql`regexp_full_match(${text}, ${bind(pattern, 'VARCHAR')})`
  return { isEven, instant: partsSql(undefined, letter => places.get(letter)) }
}

/** The number of the month that a name means, as two digits; `00` where it means none. */
function monthSql(name: Fragment): Fragment {
  const places = [monthNames, monthNames.map(month => month.slice(0, 3))].map(
    names =>
      sql`nullif(list_position(${bind(
        names.map(one => one.toLowerCase()),
        'VARCHAR[]',
      )}, lower(${name})), 0)`,
  )
  return sql`lpad(coalesce(${join(places, ', ')}, 0)::varchar, 2, '0')`
}

/**
 * The same by a format, as readFormattedDate has it; `undefined` where that reckons with weeks or days of the year, or
 * where one of its specifiers stands twice.
 */
export function formattedDateSql(text: Fragment, format: string): Fragment | undefined {
  const letters = formatLetters(format)
  if (letters?.includes('Y') !== true || !letters.every(letter => BY_MONTH.test(letter))) return undefined
  if (new Set(letters).size < letters.length) return undefined
  const pattern = bind(`\\A(?:${formatPattern(format)})\\z`, 'VARCHAR')
  const rewrite = bind(letters.map((_, i) => `\\${i + 1}`).join('|'), 'VARCHAR')
  const any = once(sql`string_split(regexp_replace(${text}, ${pattern}, ${rewrite}), '|')`, parts => {
    const part = (letter: string) => {
      if (!letters.includes(letter)) return undefined
      const found = sql`${parts}[${trusted(String(letters.indexOf(letter) + 1))}]`
      return letter === 'm' || letter === 'd' ? sql`lpad(${found}, 2, '0')` : found
    }
    const name = part('b') ?? part('B')
    const instant = partsSql(name && monthSql(name), part)
    return sql`(case when regexp_matches(${text}, ${pattern}) then ${instant} end)`
  })
  if (format === '%Y-%m-%d')
    return sql`(case when ${isDaySql(text)} then try_cast(${text} as date)::timestamp else ${any} end)`
  const even = evenSql(text, readFormat(format, READ_SPECIFIERS) ?? [])
  return even === undefined ? any : sql`(case when ${even.isEven} then ${even.instant} else ${any} end)`
}
