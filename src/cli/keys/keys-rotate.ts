import { keyRotation } from '../../access/key-fields.js'
import { parseOptions } from '../parse-options.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withOperations } from '../with-operations.js'
import { keyIdOption } from './key-id-option.js'
import { mintedLines } from './minted-lines.js'

/** `earshot keys rotate` */
export const keysRotateCommand = defineCommand({
  command: 'rotate <key_id>',
  describe: 'Mint a key with the same rights, and revoke the old one',
  builder: yargs =>
    yargs.positional('key_id', keyIdOption).options(projectOption).option('grace-seconds', {
      type: 'number',
      requiresArg: true,
      description: 'Seconds the old key stays accepted',
    }),
  handler: async args => {
    const { grace_seconds } = parseOptions(keyRotation, { grace_seconds: args.graceSeconds })
    const minted = await withOperations(globalFlags(args), operations =>
      operations.rotateKey(args.project, args.key_id, grace_seconds),
    )
    await print(args.json, minted, () => mintedLines(minted))
  },
})
