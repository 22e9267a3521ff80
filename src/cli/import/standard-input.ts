/**
 * Stands for `-` while yargs reads the arguments: it drops a lone dash among positionals
 * (`earshot import - --project demo` would import nothing).
 */
const STAND_IN = 'standard-input:'

/** The commands to which `-` means standard input. */
const READERS: ReadonlySet<string | undefined> = new Set(['import', 'pipeline', 'query'])

/** The arguments with the stand-in for `-`, where `-` means standard input. */
export function hideDash(args: readonly string[]): readonly string[] {
  return READERS.has(args[0]) ? args.map(arg => (arg === '-' ? STAND_IN : arg)) : args
}

/** The files a command names, with `-` back in its place. */
export function showDash(files: readonly string[]): readonly string[] {
  return files.map(file => (file === STAND_IN ? '-' : file))
}
