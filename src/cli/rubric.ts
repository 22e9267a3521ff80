import { defineCommand } from './define-command.js'
import { rubricCheckCommand } from './rubric/rubric-check.js'
import { rubricDiffCommand } from './rubric/rubric-diff.js'
import { rubricSetCommand } from './rubric/rubric-set.js'
import { rubricShowCommand } from './rubric/rubric-show.js'
import { rubricTryCommand } from './rubric/rubric-try.js'

/** `earshot rubric …` */
export const rubricCommand = defineCommand({
  command: 'rubric <command>',
  describe: 'Rubrics: what calls are read for and how they are scored',
  builder: yargs =>
    yargs
      .command(rubricShowCommand)
      .command(rubricCheckCommand)
      .command(rubricTryCommand)
      .command(rubricSetCommand)
      .command(rubricDiffCommand)
      .demandCommand(1, 'Name a subcommand of "rubric"')
      .example('$0 rubric show --project shop', ''),
  handler: async () => undefined,
})
