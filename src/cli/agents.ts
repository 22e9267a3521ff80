import { toolOperations } from '../operations/ask-questions.js'
import { agentsText } from './questions/agents-text.js'
import { operationCommand } from './operation-command.js'

/** `earshot agents` */
export const agentsCommand = operationCommand({
  command: 'agents',
  describe: 'Show how agents are doing, each with the interval that chance leaves',
  operation: toolOperations.get_agent_performance,
  forPeople: { interval: 'week' },
  examples: [
    ['agents --date-from 2026-03-01', 'against the same length of time before'],
    ['agents --agent-name "Sam Lee" --include-signals', ''],
  ],
  text: agentsText,
})
