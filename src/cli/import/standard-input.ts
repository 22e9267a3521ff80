/**
 * Stands for `-` while yargs reads the arguments: it drops a lone dash among positionals
 * (`earshot import - --project demo` would import nothing).
 */
const STAND_IN = 'standard-input:'

/** The commands to which `-` means standard input, or standard output. */
const STREAMING: ReadonlySet<string | undefined> = new Set(['export', 'import', 'pipeline', 'query', 'sso'])

/** The arguments with the stand-in for `-`, where `-` means a stream. */
export function hideDash(args: readonly string[]): readonly string[] {
  return STREAMING.has(args[0]) ? args.map(arg => (arg === '-' ? STAND_IN : arg)) : args
}

/** The files a command names, with `-` back in its place. */
export function showDash(files: readonly string[]): readonly string[] {
  return files.map(file => (file === STAND_IN ? '-' : file))
}
