import { setTimeout } from 'node:timers/promises'
import type { CommandModule, Options } from 'yargs'
import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import type { Operation } from '../../operations/operation.js'
import { csvOf, tableOf } from '../../operations/table.js'
import { defineCommand } from '../define-command.js'
import type { GlobalArguments } from '../global-options.js'
import { parseOptions } from '../parse-options.js'
import { type Progress, startProgress } from '../progress.js'
import { harmless, type Screen, screenOf } from '../screen.js'
import { writeOut } from '../stdout.js'
import { UsageError } from '../usage-error.js'
import { type ConnectionArguments, connectionOptions, withAsk } from './connection.js'
import { fieldsOf, givenFields, schemaOptions } from './schema-options.js'

/** An operation that answers a question, by the type of its answer. */
export type Asking<Output> = Operation<string, 'caller', z.ZodType, z.ZodType, z.ZodType<Output>>

type Fields = Readonly<Record<string, unknown>>

export interface QuestionCommand<Output> {
  /** Name and words after it. */
  readonly command: string
  readonly describe: string
  readonly operation: Asking<Output>
  /** What the words are, as help says; a word is a field of the question, unless `read` makes one of it. */
  readonly words?: Readonly<Record<string, string>>
  /** Fields that options don't give. */
  readonly without?: readonly string[]
  /** What is asked for unless it is said otherwise. */
  readonly defaults?: Fields
  /** What is asked for besides where people read the answer, unless they say otherwise. */
  readonly forPeople?: Fields
  /** Makes the fields of the question of what was said. */
  readonly read?: (fields: Fields) => Promise<Fields>
  /** Gathers an answer for people of more than one. */
  readonly gather?: (answer: Output, ask: (fields: Fields) => Promise<Output>) => Promise<Output>
  readonly examples: readonly (readonly [command: string, what: string])[]
  /** The answer for a reader, in lines. */
  readonly text: (answer: Output, screen: Screen) => string
}

/**
 * A command that asks a question: its options are those of the operation, `--json` gives the answer exactly, and only the
 * text for people is the command's own.
 */
export function questionCommand<Output>(definition: QuestionCommand<Output>): CommandModule<GlobalArguments, unknown> {
  const { command, describe, operation, words = {}, without = [], examples } = definition
  const schema = operation.body ?? operation.query
  if (schema === undefined) throw new TypeError(`${operation.url} takes nothing`)
  const known = fieldsOf(schema)
  return defineCommand<unknown>({
    command,
    describe,
    builder: yargs => {
      const options = {
        ...schemaOptions(schema, [...Object.keys(words), ...without]),
        ...outputOptions(operation, known),
        ...connectionOptions,
      }
      const withWords = Object.entries(words).reduce(
        (built, [name, description]) =>
          built.positional(name, { type: 'string', demandOption: command.includes(`<${name}>`), description }),
        yargs.options(options),
      )
      return examples.reduce((built, [example, what]) => built.example(`$0 ${example}`, what), withWords)
    },
    handler: async given => {
      const args = given as unknown as ConnectionArguments & OutputArguments & Fields
      if (args.csv && args.json) throw new UsageError('Give --json or --csv, not both')
      const spoken = Object.entries(args).filter(([name, value]) => Object.hasOwn(words, name) && value !== undefined)
      const said = { ...definition.defaults, ...givenFields(schema, args), ...Object.fromEntries(spoken) }
      const fields = (await definition.read?.(said)) ?? said
      parseOptions(schema, Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(known, name))))
      const forPeople = args.json || args.csv ? {} : definition.forPeople
      const most = args.all ? { limit: known['limit']?.maximum } : {}
      const asked = { ...forPeople, ...most, ...fields }
      await withAsk(args, async ask => {
        const again: (more: Fields) => Promise<Output> = more => ask(operation, { ...asked, ...more })
        const pages = pagesOf(again, args)
        if (args.json || args.csv) return await printPages(operation, pages, args.csv)
        const answer = await wholeOf(operation, pages)
        const whole = (await definition.gather?.(answer, again)) ?? answer
        await writeOut(definition.text(harmless(whole), screenOf()))
      })
    },
  })
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

async function printPages(operation: Operation, pages: AsyncIterable<unknown>, csv: boolean): Promise<void> {
  let first = true
  for await (const page of pages) {
    if (csv) {
      const text = await csvOf(tableOf(operation, page as object))
      // The columns are the same on every page.
      await writeOut(first ? text : text.slice(text.indexOf(CRLF) + CRLF.length))
    } else {
      await writeOut(`${JSON.stringify(page)}\n`)
    }
    first = false
  }
}

const CRLF = '\r\n'

/** All pages as one answer: that of the first, with the entries of all. */
async function wholeOf<Output>({ table }: Operation, pages: AsyncIterable<Output>): Promise<Output> {
  const answers: Output[] = []
  for await (const page of pages) answers.push(page)
  const [first, ...others] = answers as [Output, ...Output[]]
  if (others.length === 0 || typeof table !== 'string') return first
  const entries = answers.flatMap(answer => (answer as Readonly<Record<string, readonly unknown[]>>)[table] ?? [])
  return { ...first, [table]: entries, next_cursor: undefined }
}
