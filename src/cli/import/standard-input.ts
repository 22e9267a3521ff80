/**
 * Stands for `-` while yargs reads the arguments: it drops a lone dash among variadic positionals
 * (`earshot import - --project demo` would import nothing).
 */
const STAND_IN = 'standard-input:'

/** The arguments with the stand-in for `-`, where `-` means standard input: to `import`. */
export function hideDash(args: readonly string[]): readonly string[] {
  return args[0] === 'import' ? args.map(arg => (arg === '-' ? STAND_IN : arg)) : args
}

/** The files an import names, with `-` back in its place. */
export function showDash(files: readonly string[]): readonly string[] {
  return files.map(file => (file === STAND_IN ? '-' : file))
}
