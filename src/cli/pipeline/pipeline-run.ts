import { toExtended } from '../../pipeline/index.js'
import { defineCommand } from '../define-command.js'
import { showDash } from '../import/standard-input.js'
import { writeOut } from '../stdout.js'
import { textOption } from '../text-option.js'
import { UsageError } from '../usage-error.js'
import { readDocuments } from './read-documents.js'
import { readJson } from './read-input.js'

/** Lines are handed to the system in blocks. */
const BLOCK = 256 * 1024

const options = {
  documents: { ...textOption('Documents, one JSON object a line; - reads standard input'), demandOption: true },
  calls: {
    type: 'boolean',
    default: false,
    description: 'The documents are call records: read their dates, advise about unknown fields',
  },
  timeout: { type: 'number', requiresArg: true, default: 60, description: 'Seconds the pipeline may take' },
} as const

/** `earshot pipeline run`: documents to stdout, advice to stderr. */
export const pipelineRunCommand = defineCommand({
  command: 'run <pipeline>',
  describe: 'Run a pipeline over a file of documents, without a store; prints documents as extended JSON',
  builder: yargs =>
    yargs
      .positional('pipeline', { type: 'string', demandOption: true, description: 'File that holds the pipeline, JSON' })
      .options(options)
      .example('$0 pipeline run --calls --documents calls.ndjson by-agent.json', ''),
  handler: async args => {
    const { timeout } = args
    const [pipelineFile, file] = showDash([args.pipeline, args.documents]) as [string, string]
    if (file === '-' && pipelineFile === '-') {
      throw new UsageError('Standard input holds the pipeline or the documents, not both')
    }
    if (!(timeout > 0 && timeout <= 86_400)) throw new UsageError('--timeout is a number of seconds above 0')
    const { callSchema, runPipeline } = await import('../../pipeline/library.js')
    const schema = args.calls ? callSchema : undefined
    const pipeline = await readJson(pipelineFile)
    const read = await readDocuments(file, schema)
    const warnings: string[] = []
    const found = await runPipeline(pipeline, read, {
      limits: { deadlineMs: timeout * 1000 },
      onWarning: warning => warnings.push(warning),
      ...(schema === undefined ? {} : { schema }),
    })
    const documents = found.map(document => toExtended(document as never))
    if (args.json) {
      await writeOut(`${JSON.stringify({ documents, count: documents.length, warnings })}\n`)
      return
    }
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    let block = ''
    for (const document of documents) {
      block += `${JSON.stringify(document)}\n`
      if (block.length < BLOCK) continue
      await writeOut(block)
      block = ''
    }
    await writeOut(block)
  },
})
