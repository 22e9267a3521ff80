import { removeDocument } from '../../operations/knowledge-base.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'

/** `earshot kb remove` */
export const kbRemoveCommand = defineCommand({
  command: 'remove <kb_id>',
  describe: 'Remove a document',
  builder: yargs =>
    yargs
      .positional('kb_id', { type: 'string', demandOption: true, description: 'Document, as "kb list" shows it' })
      .options(projectOption)
      .example('$0 kb remove returns-policy --project shop', ''),
  handler: async args => {
    await withClient(globalFlags(args), client =>
      client.run(removeDocument, { project: args.project, kb_id: args.kb_id }),
    )
    await print(args.json, { kb_id: args.kb_id, removed: true }, () => `${args.kb_id} is removed\n`)
  },
})
