import { toolOperations } from '../operations/ask-questions.js'
import { showDash } from './import/standard-input.js'
import { readJson } from './pipeline/read-input.js'
import { queryText } from './questions/query-text.js'
import { operationCommand } from './operation-command.js'

/** `earshot query` */
export const queryCommand = operationCommand({
  command: 'query <file>',
  describe: 'Run an aggregation pipeline over the calls of a project',
  operation: toolOperations.query_interactions,
  words: { file: 'File that holds the pipeline, JSON; - reads standard input' },
  without: ['pipeline'],
  read: async ({ file, ...fields }) => ({ ...fields, pipeline: await readJson(showDash([String(file)])[0] ?? '') }),
  examples: [
    ['query by-agent.json', ''],
    ['query by-agent.json --explain', 'run nothing; show what would run'],
    ['query - < by-agent.json', ''],
  ],
  text: queryText,
})
