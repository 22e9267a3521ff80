import { beforeAll, expect, it } from 'vitest'
import type { ActivityRecord } from '../../../src/store/activity-record.js'
import type { Store } from '../../../src/store/store.js'

/** The parts of a store that an implementation has, where nothing is kept yet. */
export interface Opened<P extends keyof Store> {
  readonly store: Pick<Store, P>
  /** The same as another process has it, where several may; without it one process has it alone. */
  beside?(): Promise<Pick<Store, P>>
  /** Has requests on record, as the audit trail of such a store does it. */
  record?(events: readonly ActivityRecord[]): Promise<unknown>
  /** Closes it and opens it again. */
  reopen(): Promise<Pick<Store, P>>
  end(): Promise<void>
}

/** The one store that all promises of an implementation are tried on; each in projects of its own. */
export interface World<P extends keyof Store> {
  readonly store: Pick<Store, P>
  /** The same as another process has it; the same object where one process has it alone. */
  readonly beside: Pick<Store, P>
  /** Has requests on record, as the audit trail of such a store does it. */
  record(events: readonly ActivityRecord[]): Promise<unknown>
  /** The id of a project that nobody else uses. */
  project(): string
  /** What is read now; it is read once more after the store was closed and opened again, and has to be the same. */
  stays<T>(read: () => Promise<T>): Promise<T>
  /** Something to try when it was opened again. */
  later(check: () => Promise<void>): void
}

/** Tries promises on one store of an implementation, then opens it again for what was to stay. Called within a `describe`. */
export function keeps<P extends keyof Store>(
  open: () => Promise<Opened<P>>,
  ...promises: readonly ((world: World<P>) => void)[]
): void {
  let opened: Opened<P>
  let store: Pick<Store, P>
  let beside: Pick<Store, P>
  let projects = 0
  const checks: (() => Promise<void>)[] = []
  const later = (check: () => Promise<void>) => void checks.push(check)
  const world: World<P> = {
    get store() {
      return store
    },
    get beside() {
      return beside
    },
    record: async events => await opened.record?.(events),
    project: () => `p${String((projects += 1)).padStart(3, '0')}`,
    stays: async read => {
      const found = await read()
      later(async () => expect(await read()).toEqual(found))
      return found
    },
    later,
  }
  beforeAll(async () => {
    opened = await open()
    store = opened.store
    beside = (await opened.beside?.()) ?? store
    return () => opened.end()
  })
  for (const promise of promises) promise(world)

  it('everything that was acknowledged is there when the store is opened again', async () => {
    store = await opened.reopen()
    for (const check of checks) await check()
    expect(checks).not.toHaveLength(0)
  })
}
