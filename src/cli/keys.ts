import { defineCommand } from './define-command.js'
import { keysListCommand } from './keys/keys-list.js'
import { keysMintCommand } from './keys/keys-mint.js'
import { keysRevokeCommand } from './keys/keys-revoke.js'
import { keysRotateCommand } from './keys/keys-rotate.js'
import { keysShowCommand } from './keys/keys-show.js'

/** `earshot keys …` */
export const keysCommand = defineCommand({
  command: 'keys <command>',
  describe: 'Application keys: what AI clients authenticate with',
  builder: yargs =>
    yargs
      .command(keysMintCommand)
      .command(keysListCommand)
      .command(keysShowCommand)
      .command(keysRevokeCommand)
      .command(keysRotateCommand)
      .demandCommand(1, 'Name a subcommand of "keys"')
      .example('$0 keys list --project shop', ''),
  handler: async () => undefined,
})
