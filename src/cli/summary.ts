import { toolOperations } from '../operations/ask-questions.js'
import { operationCommand } from './operation-command.js'
import { summaryText } from './questions/summary-text.js'

/** `earshot summary` */
export const summaryCommand = operationCommand({
  command: 'summary',
  describe: 'Show what a period was like: volume, scores, why customers called, signals and coaching',
  operation: toolOperations.get_project_summary,
  forPeople: { interval: 'day', top: 10 },
  examples: [
    ['summary --date-from 2026-03-01 --date-to 2026-03-31', ''],
    ['summary --interval week --top 5', ''],
  ],
  text: summaryText,
})
