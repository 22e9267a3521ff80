import { z } from 'zod'
import { restOperations } from '../operations/ask-questions.js'
import { operationCommand } from './operation-command.js'
import { reasonsText, rubricOf } from './questions/reasons-text.js'
import { reasonsInput } from '../questions/get-reasons.js'

const line = reasonsInput.extend({
  yaml: z.boolean().default(false).meta({ description: 'Only a rubric with a line for each, to try and to change' }),
})

/** `earshot reasons` */
export const reasonsCommand = operationCommand({
  command: 'reasons',
  describe: 'Show what customers call for beyond the reasons that have a name',
  operation: restOperations.getReasons,
  line,
  read: said => Object.fromEntries(Object.entries(said).filter(([name]) => name !== 'yaml')),
  examples: [
    ['reasons --date-from 2026-03-01', ''],
    ['reasons --yaml > shop.yaml', 'a driver line for each; then: earshot rubric try shop.yaml'],
  ],
  text: (answer, screen, { yaml }) => (yaml === true ? rubricOf(answer) : reasonsText(answer, screen)),
})
