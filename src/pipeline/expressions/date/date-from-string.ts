import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { dateOr } from '../../given-type.js'
import { at } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import type { Expression } from '../../tree.js'
import type { Value } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { UNREADABLE, dateFromStringSql } from './date-from-string-sql.js'
import { checkTimeZone } from './check-time-zone.js'
import { readFormat } from './date-format.js'
import { readAnyDate } from './read-any-date.js'
import { READ_SPECIFIERS, readFormattedDate } from './read-formatted-date.js'
import { zoneOf } from './time-zone.js'

const NAME = '$dateFromString'
const FORMAT = 'takes a format of %Y %m %d %H %M %S %L %j %b %B %G %V %u %z %Z %% and other characters'
const OPTIONAL = ['format', 'timezone', 'onError', 'onNull'] as const

/** The date of a text; `undefined` where it can't be read. */
function read(text: Value, format: Value | undefined, timezone: Value | undefined): Date | undefined {
  if (typeof text !== 'string') return undefined
  const zone = timezone === undefined ? undefined : zoneOf(NAME, timezone)
  if (format === undefined) return readAnyDate(text, zone)
  const date = typeof format === 'string' ? readFormattedDate(text, format, zone) : 'format'
  if (date === 'format') throw new ExpressionError(NAME, FORMAT)
  return date
}

/** A date from text. */
export const dateFromString: ExpressionOperator = {
  name: NAME,
  doc: expressionDoc({
    form: '{ $dateFromString: { dateString, format, timezone, onError, onNull } }',
    meaning:
      'The date a text means: without a format ISO 8601, or what is often written, such as "July 4, 2017", "02/08/2017" (the month first), "4.7.2017" (the day first) and "20170704"; else by the format, whose letters are those of $dateToString. A text without an offset is local time of the time zone (UTC when none is given); one with an offset takes no time zone beside it. What can not be read is onError, or an error; null and missing give onNull, else null.',
    example: {
      expression: { $dateFromString: { dateString: '$day', format: '%d.%m.%Y' } },
      document: { day: '07.03.2026' },
      result: { $date: '2026-03-07T00:00:00.000Z' },
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields(NAME, argument, ['dateString'], OPTIONAL, context)
    const text = parse(fields.dateString, at(context, 'dateString'))
    const options = new Map<(typeof OPTIONAL)[number], Expression>()
    for (const name of OPTIONAL)
      if (Object.hasOwn(fields, name)) options.set(name, parse(fields[name], at(context, name)))
    checkTimeZone(NAME, options.get('timezone'), at(context, 'timezone').where)
    const format = options.get('format')
    if (format?.kind === 'literal' && typeof format.value === 'string') {
      if (readFormat(format.value, READ_SPECIFIERS) === undefined) {
        throw new Refusal(at(context, 'format').where, `${NAME} ${FORMAT}`)
      }
    }
    return {
      operator: NAME,
      operands: [text, ...options.values()],
      gives: typeOf => dateOr([options.get('onError'), options.get('onNull')], typeOf),
      evaluate: environment => {
        const valueOf = (name: (typeof OPTIONAL)[number]) => {
          const option = options.get(name)
          return option === undefined ? undefined : (evaluateExpression(option, environment) ?? null)
        }
        const optional = (name: 'onError' | 'onNull') => evaluateExpression(options.get(name)!, environment)
        const value = evaluateExpression(text, environment)
        if (value === undefined || value === null) return options.has('onNull') ? optional('onNull') : null
        const [pattern, timezone] = [valueOf('format'), valueOf('timezone')]
        // What is no text is an error before a format or zone that is null makes it null.
        if (typeof value === 'string' && (pattern === null || timezone === null)) return null
        const date = read(value, pattern ?? undefined, timezone ?? undefined)
        if (date !== undefined) return date
        if (options.has('onError')) return optional('onError')
        throw new ExpressionError(NAME, UNREADABLE)
      },
      // A time zone beside the text is read by the evaluator, and a format that is computed.
      sql: compile => {
        if (options.has('timezone')) return undefined
        const written = format?.kind === 'literal' && typeof format.value === 'string' ? format.value : undefined
        if (format !== undefined && written === undefined) return undefined
        const value = compile.expression(text)
        const [onError, onNull] = [options.get('onError'), options.get('onNull')]
        const [forError, forNull] = [onError && compile.expression(onError), onNull && compile.expression(onNull)]
        if (value === undefined || (onError !== undefined && forError === undefined)) return undefined
        if (onNull !== undefined && forNull === undefined) return undefined
        return dateFromStringSql(value, written, forError, forNull, compile)
      },
      toJson: () => ({
        [NAME]: {
          dateString: expressionToJson(text),
          ...Object.fromEntries([...options].map(([name, option]) => [name, expressionToJson(option)])),
        },
      }),
    }
  },
}
