import { rotateKey } from '../../operations/keys.js'
import { keyRotation } from '../../access/key-fields.js'
import { parseOptions } from '../parse-options.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { keyIdOption } from './key-id-option.js'
import { mintedLines } from './minted-lines.js'

/** `earshot keys rotate` */
export const keysRotateCommand = defineCommand({
  command: 'rotate <key_id>',
  describe: 'Mint a key with the same rights, and revoke the old one',
  builder: yargs =>
    yargs
      .positional('key_id', keyIdOption)
      .options(projectOption)
      .option('grace-seconds', {
        type: 'number',
        requiresArg: true,
        description: 'Seconds the old key stays accepted',
      })
      .example('$0 keys rotate key_7f3a --project shop', ''),
  handler: async args => {
    const { grace_seconds } = parseOptions(keyRotation, { grace_seconds: args.graceSeconds })
    const minted = await withClient(globalFlags(args), client =>
      client.run(rotateKey, { project_id: args.project, key_id: args.key_id, body: { grace_seconds } }),
    )
    await print(args.json, minted, () => mintedLines(minted))
  },
})
