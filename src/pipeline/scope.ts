declare const scopeBrand: unique symbol

/**
 * Which calls a question may hear: one project and either all its agents or the named ones. An empty list of agents
 * is no calls at all. Made only by access/scope-of.ts from a key, or by the operator's own commands.
 */
export interface Scope {
  readonly [scopeBrand]: true
  readonly projectId: string
  readonly agents: 'all' | readonly string[]
  /**
   * Whether the texts of these calls are there: what customers said, and who they are. `masked` is for a pipeline as `none` is: what
   * chooses, counts or orders calls by a text would tell it, however it is shown.
   */
  readonly text: TextAccess
}

export type TextAccess = 'none' | 'masked' | 'full'

/** Only access/ calls this: every other place receives its scope from there (checked by the import rules). */
export function scope(projectId: string, agents: 'all' | readonly string[], text: TextAccess = 'full'): Scope {
  return Object.freeze({
    projectId,
    agents: agents === 'all' ? agents : Object.freeze([...agents]),
    text,
  }) as unknown as Scope
}
