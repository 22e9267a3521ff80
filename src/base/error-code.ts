/** The code of an error of Node's or the system's, such as ENOENT; undefined for what has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
