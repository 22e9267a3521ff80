import { z } from 'zod'
import { isObject } from './is-object.js'

/**
 * An object of any fields, handed on as it came for its own schema to judge. (zod's records and loose objects leave out
 * a field named "__proto__" without a word.)
 */
export const openObject = z
  .custom<Record<string, unknown>>(isObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: {} })
