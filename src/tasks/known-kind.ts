import { closest } from '../base/closest.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { kinds } from './kinds/kinds.js'
import type { TaskKind } from './task-kind.js'

/** The kind of that name. @throws Problem `invalid_input` that lists the known ones */
export function knownKind(name: string): TaskKind {
  const kind = kinds.find(one => one.name === name)
  if (kind !== undefined) return kind
  const names = kinds.map(one => one.name)
  const meant = closest(name, names)
  const hint = meant === undefined ? '' : `, did you mean ${echo(meant)}?`
  throw new Problem('invalid_input', `Unknown task kind ${echo(name)}${hint} (known: ${names.map(echo).join(', ')})`, {
    details: [{ path: 'kind', message: `Must be one of ${names.join(', ')}` }],
  })
}
