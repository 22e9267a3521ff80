import { setRubric } from '../../operations/rubrics.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { givenOptions, givenRubric } from './given-rubric.js'

/** `earshot rubric set` */
export const rubricSetCommand = defineCommand({
  command: 'set [file]',
  describe: "Set a project's rubric; every version is kept",
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', description: 'YAML or JSON' })
      .options({ ...projectOption, ...givenOptions })
      .example('$0 rubric set rubric.yaml --project shop', ''),
  handler: async args => {
    const given = await givenRubric(args.file, args.builtIn)
    const { text: _text, ...set } = await withClient(globalFlags(args), client =>
      client.run(setRubric, { project: args.project, body: given }),
    )
    await print(
      args.json,
      set,
      () =>
        `${args.project} has the rubric ${set.name}, version ${set.version}. Calls keep their evaluation until they are evaluated again (earshot evaluate --stale), and their lift until it is fitted to calls of this version: that takes 50.\n`,
    )
  },
})
