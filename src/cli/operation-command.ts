import { setTimeout } from 'node:timers/promises'
import type { CommandModule, Options } from 'yargs'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { AnswerOf } from '../control/client.js'
import { namesProject, type Operation, variablesOf } from '../operations/operation.js'
import { type Ask, askBy, type ConnectionArguments, connectionOptions, withAsk } from './connection.js'
import { defineCommand } from './define-command.js'
import { type GlobalArguments, globalFlags } from './global-options.js'
import { printCsv } from './print-csv.js'
import { type Progress, startProgress } from './progress.js'
import { projectOption } from './project-option.js'
import { fieldsOf, givenFields, optionName, parseOptions, schemaOptions, type Spelling } from './schema-options.js'
import { harmless, type Screen, screenOf } from './screen.js'
import { writeOut } from './stdout.js'
import { unsetFields, unsetOption } from './unset-option.js'
import { UsageError } from './usage-error.js'
import { withClient } from './with-client.js'

type Fields = Readonly<Record<string, unknown>>

/** What was said on a command's line: words by their names, and options by those of their fields. */
type Said<Line extends z.ZodObject> = Readonly<Partial<z.input<Line>>> & Fields

export interface OperationCommand<O extends Operation, Answer, Line extends z.ZodObject> {
  /** Name and words after it; a word is a variable of the operation's path, or a field. */
  readonly command: string
  readonly describe: string
  readonly operation: O
  /** What a word is, as help says, where no field's description says it. */
  readonly words?: Readonly<Record<string, string>>
  /** Options that are not called as their fields are. */
  readonly spelled?: Spelling
  /** Fields that options don't give. */
  readonly without?: readonly string[]
  /** What can be said on the line, where that is not what the operation takes: then `read` makes the one of the other. */
  readonly line?: Line
  readonly read?: (said: Said<Line>) => Fields | Promise<Fields>
  /** What is asked for unless it is said otherwise. */
  readonly defaults?: Fields
  /** What is asked for besides where people read the answer, unless they say otherwise. */
  readonly forPeople?: Fields
  /** What is done, where that is more than to run the operation. */
  readonly run?: (ask: Ask, fields: Fields, said: Said<Line>) => Promise<Answer>
  /** Gathers an answer for people of more than one: of the same operation, or of others. */
  readonly gather?: (
    answer: NoInfer<Answer>,
    ask: (more: Fields) => Promise<NoInfer<Answer>>,
    askOther: Ask,
  ) => Promise<NoInfer<Answer>>
  /** It may be the first thing that is done in a data directory. */
  readonly begins?: true
  readonly examples: readonly (readonly [command: string, what: string])[]
  /** The answer for a reader, in lines. */
  readonly text: (answer: NoInfer<Answer>, screen: Screen, said: Said<Line>) => string
}

/**
 * A command that runs an operation: its words and options are what the operation takes, `--json` gives the answer exactly,
 * and only the text for people is the command's own. Questions about calls may also be asked of a service elsewhere.
 */
export function operationCommand<
  const O extends Operation,
  Answer = AnswerOf<O>,
  Line extends z.ZodObject = z.ZodObject,
>(definition: OperationCommand<O, Answer, Line>): CommandModule<GlobalArguments, unknown> {
  const { command, describe, operation, spelled = {}, without = [], examples } = definition
  const run = definition.run ?? ((ask: Ask, fields: Fields) => ask(operation, fields) as Promise<Answer>)
  const schema = operation.body ?? operation.query ?? z.strictObject({})
  const known = fieldsOf(schema)
  const line = definition.line ?? schema
  const words = [...command.matchAll(WORD)].map(([, name = '']) => name)
  const elsewhere = [...words, ...without]
  const isChange = operation.method === 'PATCH'
  const optionsOfLine = {
    ...schemaOptions(line, elsewhere, spelled),
    ...(isChange && unsetOption(line, elsewhere, spelled)),
  }
  return defineCommand<unknown>({
    command,
    describe,
    builder: yargs => {
      const options = {
        ...ownProject(operation, words),
        ...optionsOfLine,
        ...outputOptions(operation, known),
        ...(operation.access === 'caller' ? connectionOptions : {}),
      }
      const withWords = words.reduce((built, name) => {
        const description = definition.words?.[name] ?? fieldsOf(line)[name]?.description ?? ''
        return built.positional(name, { type: 'string', demandOption: command.includes(`<${name}>`), description })
      }, yargs.options(options))
      return examples.reduce((built, [example, what]) => built.example(`$0 ${example}`, what), withWords)
    },
    handler: async given => {
      const args = given as unknown as ConnectionArguments & OutputArguments & Fields
      if (args.csv && args.json) throw new UsageError('Give --json or --csv, not both')
      const spoken = Object.fromEntries(
        words.map(name => [name, args[name]] as const).filter(([, value]) => value !== undefined),
      )
      const chosen = { ...givenFields(line, args, spelled), ...(isChange && unsetFields(line, args, spelled)) }
      if (isChange && Object.keys(chosen).length === 0) {
        throw new UsageError(`Nothing to set: give one of --${Object.keys(optionsOfLine).join(', --')}`)
      }
      const said = { ...definition.defaults, ...chosen, ...spoken } as Said<Line>
      const fields = (await definition.read?.(said)) ?? said
      const checked = Object.entries(fields).filter(([name]) => Object.hasOwn(known, name))
      parseOptions(schema, Object.fromEntries(checked), { spelled, words })
      const forPeople = args.json || args.csv ? {} : definition.forPeople
      const most = args.all ? { limit: known['limit']?.maximum } : {}
      const asked = { ...forPeople, ...most, ...fields }
      await connected(definition, args, async ask => {
        const again = (more: Fields) => run(ask, { ...asked, ...more }, said)
        const pages = pagesOf(again, args)
        if (args.json) return await printLines(pages)
        const field = (name: string) => `--${optionName(name, spelled)}`
        if (args.csv) return await printCsv(operation, pages, { field, pages: () => '--all prints every page' })
        const answer = await wholeOf(operation, pages)
        const whole = (await definition.gather?.(answer, again, ask)) ?? answer
        await writeOut(definition.text(harmless(whole), screenOf(), said))
      })
    },
  })
}

const WORD = /[<[](\w+)[>\]]/g

/** The project that a command is about, unless it is a word, or a question, which may be asked elsewhere too. */
function ownProject(operation: Operation, words: readonly string[]): Record<string, Options> {
  if (operation.access === 'caller' || words.includes('project_id')) return {}
  const isAboutOne = namesProject(operation.access) || variablesOf(operation).includes('project_id')
  return isAboutOne ? projectOption : {}
}

async function connected(
  { operation, begins = false }: { readonly operation: Operation; readonly begins?: boolean },
  args: ConnectionArguments,
  work: (ask: Ask) => Promise<void>,
): Promise<void> {
  if (operation.access === 'caller') return await withAsk(args, work)
  await withClient(globalFlags(args), client => work(askBy(client, args.project)), { begins })
}

interface OutputArguments {
  readonly csv: boolean
  readonly all: boolean
}

/** How much of an answer is printed, and as what, as far as an operation's answer allows it. */
function outputOptions({ table }: Operation, fields: ReturnType<typeof fieldsOf>): Record<string, Options> {
  return {
    ...(table === undefined
      ? {}
      : { csv: { type: 'boolean', default: false, description: 'Print the table as CSV (docs/rest.md says how)' } }),
    ...(fields['cursor'] === undefined
      ? {}
      : { all: { type: 'boolean', default: false, description: 'All pages; with --json a line of JSON a page' } }),
  }
}

const paged = z.object({ next_cursor: z.string().optional(), total: z.int().optional() })

/** The answers to a question page by page: the first alone, or all. */
async function* pagesOf<Output>(
  ask: (more: Fields) => Promise<Output>,
  { all, json, csv }: GlobalArguments & OutputArguments,
) {
  let bar: Progress | undefined
  let cursor: string | undefined
  let pages = 0
  try {
    do {
      // oxlint-disable-next-line no-await-in-loop -- a page tells where the next begins
      const answer = await patiently(() => ask(cursor === undefined ? {} : { cursor }))
      yield answer
      const { next_cursor: next } = paged.parse(answer)
      pages += 1
      cursor = all ? next : undefined
      // A terminal that shows the answer already has no room for how far it is.
      if (cursor !== undefined && !(process.stdout.isTTY && (json || csv))) {
        bar ??= startProgress('Reading', 'pages', undefined)
        bar.update(pages)
      }
    } while (cursor !== undefined)
  } finally {
    bar?.stop()
  }
}

/** Asks again when a service elsewhere says that it was asked too often, after as long as it says. */
async function patiently<Output>(ask: () => Promise<Output>): Promise<Output> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'too_many_requests' || error.retryAfter === undefined)
        throw error
      process.stderr.write(`Asked as often as the service allows; going on in ${error.retryAfter} s\n`)
      await setTimeout(error.retryAfter * 1000)
    }
  }
}

async function printLines(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const page of pages) await writeOut(`${JSON.stringify(page)}\n`)
}

/** All pages as one answer: that of the first, with the entries of all. */
async function wholeOf<Output>({ table }: Operation, pages: AsyncIterable<Output>): Promise<Output> {
  const answers: Output[] = []
  for await (const page of pages) answers.push(page)
  const [first, ...others] = answers as [Output, ...Output[]]
  if (others.length === 0 || typeof table !== 'string') return first
  const entries = answers.flatMap(answer => (answer as Readonly<Record<string, readonly unknown[]>>)[table] ?? [])
  return { ...first, [table]: entries, next_cursor: undefined }
}
