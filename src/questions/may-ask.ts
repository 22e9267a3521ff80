import type { AccessScope } from '../access/caller.js'
import { Problem } from '../base/problem.js'
import type { Question } from './question.js'

type Asked = Pick<Question, 'roles' | 'ofGroups'>

/** Whether a key may ask a question at all. */
export function mayAsk(question: Asked, scope: Pick<AccessScope, 'roles' | 'min_group'>): boolean {
  return refusalOf(question, scope) === undefined
}

/** Why a key may not ask a question; undefined where it may. What is not marked is refused to who hears groups alone. */
export function refusalOf(
  { roles, ofGroups }: Asked,
  scope: Pick<AccessScope, 'roles' | 'min_group'>,
): Problem | undefined {
  if (roles !== undefined && !scope.roles.some(role => roles.includes(role))) {
    return new Problem('forbidden', `Role ${roles.join(' or ')} required`)
  }
  return ofGroups === true ? undefined : refuseGroups(scope)
}

/** The refusal of who is told of groups alone, by whatever may tell of single calls. */
export function refuseGroups({ min_group: least }: Pick<AccessScope, 'min_group'>): Problem | undefined {
  if (least === undefined) return undefined
  return new Problem(
    'forbidden',
    `This key is told of groups of at least ${least} calls only, which GET /api/v1/groups gives`,
  )
}
