/** What one check found. */
export interface Finding {
  readonly check: string
  /** warn: it runs, but not as it should for long. fail: it will not run, or not safely. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do about it. */
  readonly advice?: string
}

/** Makes findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (found: string): Finding => ({ check, status: 'ok', found }),
    warn: (found: string, advice: string): Finding => ({ check, status: 'warn', found, advice }),
    fail: (found: string, advice: string): Finding => ({ check, status: 'fail', found, advice }),
  }
}
