import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withInstallation } from '../with-installation.js'
import { keyIdOption } from './key-id-option.js'
import { keyLines } from './key-lines.js'

/** `earshot keys show` */
export const keysShowCommand = defineCommand({
  command: 'show <key_id>',
  describe: 'Show a key, without its token',
  builder: yargs => yargs.positional('key_id', keyIdOption).options(projectOption),
  handler: async args => {
    const key = await withInstallation(globalFlags(args), async ({ keys }) => keys.get(args.project, args.key_id))
    await print(args.json, key, () => keyLines(key))
  },
})
