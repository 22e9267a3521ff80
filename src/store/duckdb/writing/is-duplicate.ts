/** Whether the engine refused a row because its key is taken. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && /^Constraint Error: .*(Duplicate key|PRIMARY KEY)/is.test(error.message)
}
