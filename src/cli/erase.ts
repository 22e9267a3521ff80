import { eraseCall } from '../operations/erase-call.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { projectOption } from './project-option.js'
import { withClient } from './with-client.js'

/** `earshot erase`: a call for good, as a privacy request asks. */
export const eraseCommand = defineCommand({
  command: 'erase <session-id>',
  describe: 'Erase a call and all that is kept about it, for good',
  builder: yargs =>
    yargs
      .positional('session-id', { type: 'string', demandOption: true, description: 'Id of the call' })
      .options(projectOption)
      .example('$0 erase 051f930be6c1fe65 --project demo', ''),
  handler: async args => {
    await withClient(globalFlags(args), client =>
      client.run(eraseCall, { project: args.project, interaction_id: args.sessionId }),
    )
    await print(
      args.json,
      { project_id: args.project, session_id: args.sessionId, erased: true },
      () =>
        `Erased. A later import of this id is rejected. Backups made before, exports and the files it was imported from may still hold it, and the store's file until it is compacted: docs/privacy.md.\n`,
    )
  },
})
