import { commandGroup } from './command-group.js'
import { rubricCheckCommand } from './rubric/rubric-check.js'
import { rubricDiffCommand } from './rubric/rubric-diff.js'
import { rubricSetCommand } from './rubric/rubric-set.js'
import { rubricShowCommand } from './rubric/rubric-show.js'
import { rubricTryCommand } from './rubric/rubric-try.js'

/** `earshot rubric …` */
export const rubricCommand = commandGroup({
  name: 'rubric',
  describe: 'Rubrics: what calls are read for and how they are scored',
  commands: yargs =>
    yargs
      .command(rubricShowCommand)
      .command(rubricCheckCommand)
      .command(rubricTryCommand)
      .command(rubricSetCommand)
      .command(rubricDiffCommand),
  example: 'show --project shop',
})
