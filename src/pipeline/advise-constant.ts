import { echo } from '../base/text.js'
import { advise } from './advise.js'
import { type ParseContext, typeAt } from './parse-context.js'

/** Advises about a text that is a field's name without "$": it is the same text for every document. */
export function adviseConstant(json: unknown, context: ParseContext): void {
  if (typeof json !== 'string' || !isField(json, context)) return
  advise(context, `${echo(json)} is a text here; the field is ${echo(`$${json}`)}`)
}

function isField(text: string, { shape }: ParseContext): boolean {
  return shape?.has(text) === true || (text.includes('.') && typeAt(shape, text.split('.')) !== undefined)
}
