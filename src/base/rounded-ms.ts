/** Milliseconds to two decimals, as logs and the audit trail show them. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 100) / 100
}
