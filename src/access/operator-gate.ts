import type { AdminEntry, Entry } from './gate.js'
import { callerOfOperator } from './caller-of.js'
import { operator } from './operator.js'
import { projectOf } from './project-of.js'

/**
 * The gate of the control socket. The rights of its file are the authentication: only whoever may open it gets here,
 * and Node can't ask the system who that is, so everyone is "operator". No rate is counted.
 */
export class OperatorGate {
  async enterApi(_: unknown, __: unknown, project?: string): Promise<Omit<Entry, 'rate'>> {
    const caller = callerOfOperator(projectOf(operator, project))
    return await Promise.resolve({ caller, keyId: operator.subject, current: () => caller })
  }

  async enterAdmin(): Promise<Omit<AdminEntry, 'rate'>> {
    return await Promise.resolve({ admin: operator, current: () => operator })
  }

  async enterSuperAdmin(): Promise<Omit<AdminEntry, 'rate'>> {
    return await this.enterAdmin()
  }

  async enterMetrics(): Promise<void> {}
}
