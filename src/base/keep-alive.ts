/**
 * Milliseconds for which a connection without a request stays open, at either listener. More than the minute for which load
 * balancers and proxies usually keep theirs, so that it is they who close: a request sent on a connection that is being closed
 * here at that instant fails, and one that writes can't be repeated safely. Node's own 5 s are also just what some clients keep
 * theirs for.
 */
export const KEEP_ALIVE_MS = 75_000
