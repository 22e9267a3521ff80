import { toolOperations } from '../operations/ask-questions.js'
import { callsText } from './questions/calls-text.js'
import { operationCommand } from './operation-command.js'

/** `earshot calls` */
export const callsCommand = operationCommand({
  command: 'calls',
  describe: 'List the calls that match all given filters',
  operation: toolOperations.search_calls,
  examples: [
    ['calls --max-score 2 --sort score_asc', 'the worst first'],
    ['calls --max-trust low', 'the list for review: calls whose evaluation can hardly be relied on, with why'],
    ['calls --signal-key sig.escalation --date-from 2026-03-01 --json', ''],
    ['calls --url https://earshot.example.com --text "gift card"', 'elsewhere, with the key in EARSHOT_KEY'],
  ],
  text: callsText,
})
