import { commandGroup } from './command-group.js'
import { kbImportCommand } from './kb/kb-import.js'
import { kbListCommand } from './kb/kb-list.js'
import { kbRemoveCommand } from './kb/kb-remove.js'

/** `earshot kb …` */
export const kbCommand = commandGroup({
  name: 'kb',
  describe: 'Knowledge base: documents that query_knowledge_base finds things in',
  commands: yargs => yargs.command(kbImportCommand).command(kbListCommand).command(kbRemoveCommand),
  example: 'list --project shop',
})
