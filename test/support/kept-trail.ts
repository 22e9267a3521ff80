import type { NewActivityEvent } from '../../src/activity/activity-event.js'
import type { Trail } from '../../src/activity/audited.js'

/** An audit trail that keeps its lines in memory. `out` makes it unavailable, `broken` fail in a way nobody thought of. */
export class KeptTrail implements Trail {
  readonly events: NewActivityEvent[] = []
  out = false
  broken = false

  async append(event: NewActivityEvent): Promise<void> {
    if (this.broken) throw new Error('Nobody thought of this')
    this.events.push(event)
    await Promise.resolve()
  }

  health(): 'audit_unavailable' | undefined {
    return this.out ? 'audit_unavailable' : undefined
  }

  sessionHash(projectId: string, sessionId: string): string {
    return Buffer.from(`${projectId}/${sessionId}`).toString('hex').padEnd(32, '0').slice(0, 32)
  }
}
