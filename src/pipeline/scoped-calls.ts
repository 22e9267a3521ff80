import type { Scope } from './scope.js'

declare const narrowed: unique symbol

/** Calls that an asker may hear, for what is kept beside calls and read of many at once: only `narrowCalls` makes them. */
export interface ScopedCalls {
  readonly [narrowed]: true
  readonly scope: Scope
  /** Only calls that begin before it. */
  readonly before: Date
}

/** Narrows what is read beside calls to those of a scope that began before its request. */
export function narrowCalls(scope: Scope, now: Date): ScopedCalls {
  return Object.freeze({ scope, before: now }) as unknown as ScopedCalls
}
