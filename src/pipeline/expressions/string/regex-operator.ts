import { advisePattern } from '../../advise-pattern.js'
import { readRegex } from '../../match/read-regex.js'
import { Refusal } from '../../refusal.js'
import { compilePattern, type Found, type Pattern } from '../../pattern.js'
import { type ParseContext, at } from '../../parse-context.js'
import type { CompileContext } from '../../tree.js'
import { type Fragment, trusted } from '../../compile/sql.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import type { FieldType } from '../../../calls/field-type.js'
import type { Value } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { type ExpressionDoc, expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { codePoints } from './code-points.js'

interface RegexOperator {
  readonly name: string
  readonly doc: ExpressionDoc
  /** What null and missing give. */
  readonly absent: Value
  /** The type of the value, where it is one of all: see OperatorCall. */
  readonly gives?: FieldType
  evaluate(text: string, pattern: Pattern): Value
  sql?(input: SqlExpression, pattern: Pattern, context: CompileContext): SqlExpression | undefined
}

/** The pattern and its options, constants both: patterns are judged before anything runs. */
function readPattern(name: string, regex: unknown, options: unknown, context: ParseContext): Pattern {
  const place = at(context, 'regex')
  if (options !== undefined && typeof options !== 'string') {
    throw new Refusal(at(context, 'options').where, 'is a string of i, m, s and x')
  }
  const literal = readRegex(regex)
  if (literal !== undefined) return compilePattern(literal.source, options ?? literal.options, place)
  if (typeof regex !== 'string' || regex.startsWith('$')) {
    throw new Refusal(place.where, `${name} takes a constant pattern; write one that begins with "$" as "[$]…"`)
  }
  advisePattern(regex, place, ['regex', 'options'])
  return compilePattern(regex, options ?? '', place)
}

/** Most groups of which the engine tells one. */
const MOST_GROUPS = 9

/**
 * The numbers of the groups of a pattern; `undefined` where the engine would not tell them: it gives one that takes no part
 * as an empty text.
 */
export function groupsOf({ captures }: Pattern): readonly Fragment[] | undefined {
  if (captures === undefined || captures > MOST_GROUPS) return undefined
  return Array.from({ length: captures }, (_, i) => trusted(String(i + 1)))
}

/** What a match is made of. */
export const MATCH: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ['match', { kind: 'string', absent: 'never' }],
  ['idx', { kind: 'int', bits: 31, absent: 'never' }],
  ['captures', { kind: 'list', of: { kind: 'string', absent: 'never' }, absent: 'never' }],
])

/** Matches as MongoDB describes them: the text, where it begins in characters, the groups. */
export function* foundDocuments(text: string, matches: Iterable<Found>): Iterable<Value> {
  let unit = 0
  let point = 0
  for (const { start, end, groups } of matches) {
    point += codePoints(text.slice(unit, start))
    unit = start
    yield { match: text.slice(start, end), idx: point, captures: groups.map(one => one ?? null) }
  }
}

/** $regexMatch, $regexFind and $regexFindAll: `{$regexMatch: {input, regex, options}}`. */
export function regexOperator(definition: RegexOperator): ExpressionOperator {
  const { name, doc } = definition
  return {
    name,
    doc: expressionDoc(doc),
    parse(argument, context, parse) {
      const fields = argumentFields(name, argument, ['input', 'regex'], ['options'], context)
      const input = parse(fields.input, at(context, 'input'))
      const pattern = readPattern(name, fields.regex, fields.options, context)
      return {
        operator: name,
        operands: [input],
        gives: () => definition.gives,
        evaluate: environment => {
          const text = evaluateExpression(input, environment)
          if (text === undefined || text === null) return definition.absent
          if (typeof text !== 'string') throw wrongType(name, 'strings as input', text)
          return definition.evaluate(text, pattern)
        },
        sql: compile => {
          const text = compile.expression(input)
          return text && definition.sql?.(text, pattern, compile)
        },
        toJson: () => ({
          [name]: {
            input: expressionToJson(input),
            regex: pattern.source,
            ...(pattern.options === '' ? {} : { options: pattern.options }),
          },
        }),
      }
    },
  }
}
