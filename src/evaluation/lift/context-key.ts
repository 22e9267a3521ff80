import type { LiftSeen } from '../../store/lift-store.js'

/** What tells the context of a call from others: its driver and its direction. */
export function contextKey({ driver, direction }: Pick<LiftSeen, 'driver' | 'direction'>): string {
  return JSON.stringify([driver ?? null, direction ?? null])
}
