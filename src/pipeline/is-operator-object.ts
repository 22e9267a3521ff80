import { isObject } from '../base/is-object.js'

/** Whether JSON is an object that begins with an operator, such as {"$lt": 3}. */
export function isOperatorObject(json: unknown): json is Record<string, unknown> {
  return isObject(json) && Object.keys(json)[0]?.startsWith('$') === true
}
