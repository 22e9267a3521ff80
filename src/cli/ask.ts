import { stringify } from 'yaml'
import { closest } from '../base/closest.js'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { toolOperations } from '../operations/ask-questions.js'
import type { Operation } from '../operations/operation.js'
import { questions } from '../questions/questions.js'
import { defineCommand } from './define-command.js'
import { type ConnectionArguments, connectionOptions, withAsk } from './connection.js'
import { printCsv } from './print-csv.js'
import { fieldsOf } from './schema-options.js'
import { harmless } from './screen.js'
import { writeOut } from './stdout.js'
import { UsageError } from './usage-error.js'

const tools: ReadonlyMap<string, (typeof questions)[number]> = new Map(questions.map(one => [one.name, one]))

/** `earshot ask`: any tool by its name, with arguments as they are. */
export const askCommand = defineCommand({
  command: 'ask <tool> [arguments..]',
  describe: 'Ask any of the tools that AI clients have, by its name',
  builder: yargs =>
    yargs
      .positional('tool', {
        type: 'string',
        demandOption: true,
        choices: [...tools.keys()],
        description: 'Name of the tool',
      })
      .positional('arguments', {
        type: 'string',
        array: true,
        description: 'key=value; numbers, true and false as they are, lists and objects as JSON (docs/tools.md)',
      })
      .options(connectionOptions)
      .option('csv', { type: 'boolean', default: false, description: 'Print the table of the answer as CSV' })
      .example('$0 ask get_project_context', '')
      .example('$0 ask search_calls driver=billing min_score=4 limit=5 --json', '')
      .example("$0 ask detect_changes period='last week' categories='[\"signals\"]'", ''),
  handler: async given => {
    const args = given as unknown as ConnectionArguments & {
      readonly csv: boolean
      readonly tool: string
      readonly arguments?: readonly string[]
    }
    if (args.csv && args.json) throw new UsageError('Give --json or --csv, not both')
    const question = tools.get(args.tool)
    if (question === undefined) throw new Problem('invalid_input', `There is no tool ${echo(args.tool)}`)
    const fields = argumentsOf(args.arguments ?? [], question.input)
    parseInput(question.input, fields, 'argument')
    const operation: Operation = toolOperations[question.name as keyof typeof toolOperations]
    if (args.csv && operation.table === undefined) {
      throw new UsageError(`${question.name} answers with more than a table: leave --csv out`)
    }
    const answer = (await withAsk(args, ask => ask(operation, fields))) as object
    if (args.csv) {
      const line = { field: (name: string) => `${name}=`, pages: (next: string) => `the next page is cursor=${next}` }
      return await printCsv(operation, [answer], line)
    }
    // Not as a table of one tool: whatever a tool answers is readable so.
    await writeOut(args.json ? `${JSON.stringify(answer)}\n` : stringify(harmless(answer), { lineWidth: 0 }))
  },
})

/** Arguments as they are written, `key=value`. @throws Problem `invalid_input` */
function argumentsOf(
  written: readonly string[],
  schema: Parameters<typeof fieldsOf>[0],
): Readonly<Record<string, unknown>> {
  const known = fieldsOf(schema)
  const found = new Map<string, unknown>()
  for (const one of written) {
    const at = one.indexOf('=')
    if (at < 1) {
      const names = Object.keys(known)
      const meant = closest(one, names)
      const right = `write it ${echo(`${meant ?? names[0] ?? 'key'}=value`)}`
      throw new Problem(
        'invalid_input',
        `${echo(one)} is no argument: ${right} (accepted: ${names.join(', ') || 'none'})`,
      )
    }
    const name = one.slice(0, at)
    if (found.has(name)) throw new Problem('invalid_input', `Argument ${echo(name)} was given more than once`)
    found.set(name, valueOf(one.slice(at + 1), Object.hasOwn(known, name) ? known[name]?.type : undefined))
  }
  return Object.fromEntries(found)
}

/** What a value says: text where the tool takes text, else JSON; what is no JSON stays text, for the tool to refuse. */
function valueOf(text: string, type: string | undefined): unknown {
  if (type === 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return type === 'array' && !text.startsWith('[') ? [text] : text
  }
}
