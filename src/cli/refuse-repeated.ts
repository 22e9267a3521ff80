import { UsageError } from './usage-error.js'

/**
 * Refuses an option given twice that takes one value: yargs makes a list of it, which no command expects.
 * @param lists names of the options and words that take several
 */
export function refuseRepeated(args: Readonly<Record<string, unknown>>, lists: readonly string[]): true {
  const repeated = Object.entries(args).find(
    ([name, value]) => name !== '_' && Array.isArray(value) && !lists.some(list => camelCase(list) === camelCase(name)),
  )
  if (repeated !== undefined) throw new UsageError(`--${repeated[0]} was given more than once`)
  return true
}

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
