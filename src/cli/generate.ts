import { writeFile } from 'node:fs/promises'
import { defineCommand } from './define-command.js'
import { endOption } from './generate/end-option.js'
import { reportLines } from './generate/report-lines.js'
import { startProgress } from './progress.js'
import { writeOut } from './stdout.js'
import { textOption } from './text-option.js'

/** Lines are handed to the system in blocks: one write a call would cost more than making the call. */
const BLOCK = 256 * 1024

const options = {
  calls: { type: 'number', requiresArg: true, default: 1_000, description: 'How many calls' },
  seed: { type: 'number', requiresArg: true, default: 1, description: 'The same seed gives the same bytes' },
  days: { type: 'number', requiresArg: true, default: 90, description: 'Days they are spread over, from 28' },
  agents: { type: 'number', requiresArg: true, default: 12, description: 'How many agents, 2 to 500' },
  'extra-signals': {
    type: 'number',
    requiresArg: true,
    default: 0,
    description: 'Signals that are in no catalog, 0 to 500; a call names about a dozen of them',
  },
  unevaluated: {
    type: 'boolean',
    default: false,
    description: 'Only what a telephone system knows: no scores, signals and reasons, for earshot evaluate to find',
  },
  end: textOption('Date or date-time the calls end at (default: start of the day, UTC)'),
  report: textOption('File that takes the report, as JSON (default: stderr)'),
} as const

/** `earshot generate`: calls to stdout, the report elsewhere. */
export const generateCommand = defineCommand({
  command: 'generate',
  describe: 'Make up calls (NDJSON on stdout) with facts to find in them',
  builder: yargs =>
    yargs
      .options(options)
      .example('$0 generate --calls 1000 | $0 import - --project demo', 'fill a project')
      .example(
        '$0 generate --calls 1000 --unevaluated | $0 import - --project demo --evaluate',
        'fill it with what the rules make of the transcripts',
      ),
  handler: async args => {
    const { calls, seed, days, agents, extraSignals, unevaluated } = args
    const end = endOption(args.end)
    const { generateCalls } = await import('../demo/generate-calls.js')
    const given = { calls, seed, days, agents, extraSignals, unevaluated }
    const generated = generateCalls({ ...given, ...(end === undefined ? {} : { end }) })
    const progress = process.stdout.isTTY ? undefined : startProgress('Making calls', 'calls', calls)
    let block = ''
    let done = 0
    for (const line of generated.lines) {
      block += line
      done += 1
      if (block.length < BLOCK) continue
      await writeOut(block)
      block = ''
      progress?.update(done)
    }
    await writeOut(block)
    progress?.stop()

    const report = generated.report()
    const json = `${JSON.stringify(report)}\n`
    if (args.report !== undefined) await writeFile(args.report, json)
    else process.stderr.write(args.json ? json : reportLines(report))
  },
})
