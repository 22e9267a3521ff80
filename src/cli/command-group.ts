import type { Argv, CommandModule } from 'yargs'
import { defineCommand } from './define-command.js'
import type { GlobalArguments } from './global-options.js'

interface CommandGroup {
  readonly name: string
  readonly describe: string
  readonly commands: (yargs: Argv<GlobalArguments>) => Argv<GlobalArguments>
  readonly example: string
}

/** A command that is only the name of others: `earshot keys …`. */
export function commandGroup({
  name,
  describe,
  commands,
  example,
}: CommandGroup): CommandModule<GlobalArguments, GlobalArguments> {
  return defineCommand({
    command: `${name} <command>`,
    describe,
    builder: yargs =>
      commands(yargs).demandCommand(1, `Name a subcommand of "${name}"`).example(`$0 ${name} ${example}`, ''),
    handler: async () => undefined,
  })
}
