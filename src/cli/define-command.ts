import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import type { GlobalArguments } from './global-options.js'

interface Definition<U> {
  /** Name and positionals, as yargs writes them. */
  readonly command: string
  readonly describe: string
  readonly builder: (yargs: Argv<GlobalArguments>) => Argv<U>
  readonly handler: (args: ArgumentsCamelCase<U>) => Promise<void>
}

/** A command whose handler takes exactly what its builder declares. */
export function defineCommand<U>(definition: Definition<U>): CommandModule<GlobalArguments, U> {
  return definition
}
