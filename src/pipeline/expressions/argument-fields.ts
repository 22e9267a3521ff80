import { isObject } from '../../base/is-object.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'

/** The fields of an operator's argument, for operators that parse some of them in their own way. */
export function argumentFields<Name extends string>(
  operator: string,
  argument: unknown,
  required: readonly Name[],
  optional: readonly Name[],
  context: ParseContext,
): Readonly<Partial<Record<Name, unknown>>> {
  const names = [...required, ...optional]
  if (!isObject(argument)) {
    throw new Refusal(context.where, `${operator} takes an object with the fields ${names.join(', ')}`)
  }
  for (const key of Object.keys(argument)) {
    if (!names.some(name => name === key)) {
      refuseName(context.where, `The argument of ${operator}`, key, names, new Map())
    }
  }
  for (const name of required) {
    if (!Object.hasOwn(argument, name)) throw new Refusal(context.where, `${operator} needs the argument ${name}`)
  }
  return argument as Readonly<Partial<Record<Name, unknown>>>
}
