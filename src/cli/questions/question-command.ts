import type { CommandModule } from 'yargs'
import type { z } from 'zod'
import type { Operation } from '../../operations/operation.js'
import { defineCommand } from '../define-command.js'
import type { GlobalArguments } from '../global-options.js'
import { parseOptions } from '../parse-options.js'
import { harmless, type Screen, screenOf } from '../screen.js'
import { writeOut } from '../stdout.js'
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
      const options = { ...schemaOptions(schema, [...Object.keys(words), ...without]), ...connectionOptions }
      const withWords = Object.entries(words).reduce(
        (built, [name, description]) =>
          built.positional(name, { type: 'string', demandOption: command.includes(`<${name}>`), description }),
        yargs.options(options),
      )
      return examples.reduce((built, [example, what]) => built.example(`$0 ${example}`, what), withWords)
    },
    handler: async given => {
      const args = given as unknown as ConnectionArguments & Fields
      const spoken = Object.entries(args).filter(([name, value]) => Object.hasOwn(words, name) && value !== undefined)
      const said = { ...definition.defaults, ...givenFields(schema, args), ...Object.fromEntries(spoken) }
      const fields = (await definition.read?.(said)) ?? said
      parseOptions(schema, Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(known, name))))
      const asked = { ...(args.json ? {} : definition.forPeople), ...fields }
      await withAsk(args, async ask => {
        const answer = await ask(operation, asked)
        if (args.json) return await writeOut(`${JSON.stringify(answer)}\n`)
        const again: (more: Fields) => Promise<Output> = more => ask(operation, { ...asked, ...more })
        const whole = (await definition.gather?.(answer, again)) ?? answer
        await writeOut(definition.text(harmless(whole), screenOf()))
      })
    },
  })
}
