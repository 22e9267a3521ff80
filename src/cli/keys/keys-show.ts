import { getKey, showKeyAsSeen } from '../../operations/keys.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { keyIdOption } from './key-id-option.js'
import { keyLines } from './key-lines.js'
import { seenLines } from './seen-lines.js'

/** `earshot keys show` */
export const keysShowCommand = defineCommand({
  command: 'show <key_id>',
  describe: 'Show a key, without its token',
  builder: yargs =>
    yargs
      .positional('key_id', keyIdOption)
      .options(projectOption)
      .option('as-seen', { type: 'boolean', default: false, description: 'Show what the key may see' })
      .example('$0 keys show key_7f3a --as-seen --project shop', 'what that key may see'),
  handler: async args => {
    const { project, key_id: keyId } = args
    if (args.asSeen) {
      const seen = await withClient(globalFlags(args), client =>
        client.run(showKeyAsSeen, { project_id: project, key_id: keyId }),
      )
      await print(args.json, seen, () => seenLines(seen))
      return
    }
    const key = await withClient(globalFlags(args), client =>
      client.run(getKey, { project_id: project, key_id: keyId }),
    )
    await print(args.json, key, () => keyLines(key))
  },
})
