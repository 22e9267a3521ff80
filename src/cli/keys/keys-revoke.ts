import { revokeKey } from '../../operations/keys.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { keyIdOption } from './key-id-option.js'
import { keyLines } from './key-lines.js'

/** `earshot keys revoke` */
export const keysRevokeCommand = defineCommand({
  command: 'revoke <key_id>',
  describe: 'Revoke a key for good',
  builder: yargs =>
    yargs
      .positional('key_id', keyIdOption)
      .options(projectOption)
      .example('$0 keys revoke key_7f3a --project shop', ''),
  handler: async args => {
    const key = await withClient(globalFlags(args), client =>
      client.run(revokeKey, { project_id: args.project, key_id: args.key_id }),
    )
    await print(args.json, key, () => keyLines(key))
  },
})
