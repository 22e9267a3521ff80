import { listDocuments } from '../../operations/knowledge-base.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'

/** `earshot kb list` */
export const kbListCommand = defineCommand({
  command: 'list',
  describe: 'List the documents of a project',
  builder: yargs => yargs.options(projectOption).example('$0 kb list --project shop', ''),
  handler: async args => {
    const documents = await withClient(globalFlags(args), client =>
      client.run(listDocuments, { project: args.project }).then(answer => answer.documents),
    )
    await print(args.json, { documents }, () =>
      table(
        ['Document', 'Name', 'Title', 'Sections', 'Imported'],
        documents.map(one => [one.kb_id, one.name, one.title, String(one.sections), one.imported_at]),
      ),
    )
  },
})
