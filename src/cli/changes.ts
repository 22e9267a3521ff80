import { toolOperations } from '../operations/ask-questions.js'
import { changesText } from './questions/changes-text.js'
import { operationCommand } from './operation-command.js'

/** `earshot changes` */
export const changesCommand = operationCommand({
  command: 'changes [period]',
  describe: 'Show what is different from before, and how sure that is',
  operation: toolOperations.detect_changes,
  words: { period: 'Period to look at, such as "last week" or 2026-03 (default: "last 4 weeks")' },
  defaults: { period: 'last 4 weeks' },
  examples: [
    ['changes "last week"', 'against the week before'],
    ['changes 2026-03 --baseline 2026-01 --categories signals --categories agents', ''],
  ],
  text: changesText,
})
