import { echo } from '../../../base/text.js'
import type { ParseContext } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'

/**
 * The name of a variable that a pipeline binds: it begins with a small letter, so that it can't hide a system variable
 * (CURRENT, which MongoDB allows, is left out: a pipeline has no need to rebind the document).
 */
export function parseVariableName(json: unknown, context: ParseContext): string {
  if (typeof json !== 'string' || !/^[a-z\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*$/u.test(json)) {
    throw new Refusal(
      context.where,
      `a variable's name begins with a small letter and holds letters, digits and _, not ${echo(json)}`,
    )
  }
  return json
}
