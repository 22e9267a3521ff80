import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import type { GlobalArguments } from './global-options.js'
import { UsageError } from './usage-error.js'

interface Definition<U> {
  /** Name and positionals, as yargs writes them. */
  readonly command: string
  readonly describe: string
  readonly builder: (yargs: Argv<GlobalArguments>) => Argv<U>
  readonly handler: (args: ArgumentsCamelCase<U>) => Promise<void>
  /** An empty word is one that was left out. */
  readonly takesEmpty?: true
}

/** A command whose handler takes exactly what its builder declares. Its words are not empty. */
export function defineCommand<U>({ takesEmpty, ...definition }: Definition<U>): CommandModule<GlobalArguments, U> {
  return {
    ...definition,
    handler: async args => {
      if (takesEmpty !== true) refuseEmpty(definition.command, args)
      await definition.handler(args)
    },
  }
}

const WORD = /[<[]([\w-]+)(?:\.\.)?[>\]]/g

/** An empty path would be the current directory. The parser makes one of a lone dash. @throws UsageError */
function refuseEmpty(command: string, args: Readonly<Record<string, unknown>>): void {
  for (const [, name = ''] of command.matchAll(WORD)) {
    if ([args[name]].flat().includes(''))
      throw new UsageError(`<${name}> is empty, or "-", which stands for nothing here: give what it is called`)
  }
}
