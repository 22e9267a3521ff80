import { defineCommand } from './define-command.js'
import { kbImportCommand } from './kb/kb-import.js'
import { kbListCommand } from './kb/kb-list.js'
import { kbRemoveCommand } from './kb/kb-remove.js'

/** `earshot kb …` */
export const kbCommand = defineCommand({
  command: 'kb <command>',
  describe: 'Knowledge base: documents that query_knowledge_base finds things in',
  builder: yargs =>
    yargs
      .command(kbImportCommand)
      .command(kbListCommand)
      .command(kbRemoveCommand)
      .demandCommand(1, 'Name a subcommand of "kb"')
      .example('$0 kb list --project shop', ''),
  handler: async () => undefined,
})
