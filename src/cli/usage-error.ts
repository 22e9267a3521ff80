/** The command was written wrongly; its text says how to write it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
