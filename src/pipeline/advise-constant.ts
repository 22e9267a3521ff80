import { echo } from '../base/text.js'
import { advise } from './advise.js'
import { type ParseContext, typeAt } from './parse-context.js'

/** Advises about a text that is a field's name without "$": it is the same text for every document. Whether it is one. */
export function adviseConstant(json: unknown, context: ParseContext): boolean {
  if (typeof json !== 'string' || !isField(json, context)) return false
  advise(context, `${echo(json)} is a text here; the field is ${echo(`$${json}`)}`)
  return true
}

function isField(text: string, { shape }: ParseContext): boolean {
  return shape?.has(text) === true || (text.includes('.') && typeAt(shape, text.split('.')) !== undefined)
}
