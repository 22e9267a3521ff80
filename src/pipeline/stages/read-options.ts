import { isObject } from '../../base/is-object.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'

/** The options of a stage or operator that takes an object; an unknown one is refused with the closest name. */
export function readOptions<Name extends string>(
  json: unknown,
  name: string,
  allowed: readonly Name[],
  context: ParseContext,
): Readonly<Partial<Record<Name, unknown>>> {
  if (!isObject(json)) {
    throw new Refusal(context.where, `${name} takes an object with the options ${allowed.join(', ')}`)
  }
  for (const key of Object.keys(json)) {
    if (!allowed.some(one => one === key)) {
      refuseName(`${context.where}.${key.slice(0, 100)}`, `The option of ${name}`, key, allowed, new Map())
    }
  }
  return json as Readonly<Partial<Record<Name, unknown>>>
}
