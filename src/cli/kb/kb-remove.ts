import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withInstallation } from '../with-installation.js'

/** `earshot kb remove` */
export const kbRemoveCommand = defineCommand({
  command: 'remove <kb_id>',
  describe: 'Remove a document',
  builder: yargs =>
    yargs
      .positional('kb_id', { type: 'string', demandOption: true, description: 'Document, as "kb list" shows it' })
      .options(projectOption),
  handler: async args => {
    const removed = await withInstallation(globalFlags(args), ({ store, projects }) =>
      store.knowledge.remove(projects.get(args.project).project_id, args.kb_id),
    )
    if (!removed) throw new Problem('not_found', `Document not found: ${echo(args.kb_id)}`)
    await print(args.json, { kb_id: args.kb_id, removed }, () => `${args.kb_id} is removed\n`)
  },
})
