import { echo } from '../base/text.js'
import { advise } from './advise.js'
import { type ParseContext, listOn } from './parse-context.js'

/** Advises about a list as a group's key or as a number: a key is the whole list, and no list is a number. */
export function adviseList(json: unknown, context: ParseContext): void {
  if (typeof json !== 'string' || !json.startsWith('$') || json.startsWith('$$')) return
  const list = listOn(context.shape, json.slice(1).split('.'))
  if (list === undefined) return
  advise(
    context,
    `${echo(json)} is a list in each document`,
    `; to take its entries singly write {"$unwind": ${echo(`$${list.join('.')}`)}} before`,
  )
}
