import type { AccessScope, Caller } from '../access/caller.js'
import { isAuditor, overseesProject } from '../access/scope-of.js'
import { Problem } from '../base/problem.js'
import type { Question } from './question.js'

/** What is asked, as far as it decides who may: nothing is known of a resource, prompt or route that is no question. */
type Asked = Partial<Pick<Question, 'name' | 'roles' | 'ofGroups' | 'ofOwnKey' | 'ofAudit'>>

type Bounds = Pick<AccessScope, 'roles' | 'min_group' | 'tools'>

/** Whether a key may ask a question at all. */
export function mayAsk(question: Asked, scope: Bounds): boolean {
  return refusalOf(question, scope) === undefined
}

const SUPERVISING: ReadonlySet<string> = new Set(['Supervisor', 'Admin', 'SuperAdmin'])

/** Whether a key may say what it thinks of calls, and whether its roles let it answer what others said; `is_supervisor` grants nothing. */
export function maySay(scope: AccessScope): { readonly give: boolean; readonly answer: boolean } {
  const give = mayChange(scope)
  return { give, answer: give && scope.roles.some(role => SUPERVISING.has(role)) }
}

/** Whether a caller may add calls. */
export function mayImport(caller: Caller): boolean {
  return overseesProject(caller) && mayChange(caller.access_scope)
}

/** Whether a key may do what is no question, for whatever else it needs. */
function mayChange(scope: AccessScope): boolean {
  return scope.read_only !== true && scope.text === 'full' && refusalOf({}, scope) === undefined
}

/**
 * Why a key may not ask for something; undefined where it may. What is not marked is refused to an auditor and to who hears
 * groups alone, and what is not named to a key that names its tools.
 */
export function refusalOf({ name, roles, ofGroups, ofOwnKey, ofAudit }: Asked, scope: Bounds): Problem | undefined {
  if (scope.tools !== undefined && ofOwnKey !== true && (name === undefined || !scope.tools.includes(name))) {
    return new Problem('forbidden', `This key may ask these tools only: ${scope.tools.join(', ')}`)
  }
  // Whatever else it has: the role takes calls away and gives none.
  const audits = isAuditor(scope)
  if (audits && ofAudit !== true) {
    return new Problem('forbidden', 'A key with the role Auditor reads the audit trail and catalogs, and no calls')
  }
  if (!audits && roles !== undefined && !scope.roles.some(role => roles.includes(role))) {
    return new Problem('forbidden', `Role ${roles.join(' or ')} required`)
  }
  if (scope.min_group === undefined || ofGroups === true) return undefined
  return new Problem(
    'forbidden',
    `This key is told of groups of at least ${scope.min_group} calls only, which GET /api/v1/groups gives`,
  )
}
