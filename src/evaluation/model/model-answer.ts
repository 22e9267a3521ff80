import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import type { CompiledRubric } from '../rules/compile-rubric.js'
import { askedSignals } from './asked-signals.js'

/** What a model may say of a signal. */
const STATES = ['present', 'absent', 'unclear', 'not_applicable'] as const
/** Stands for none of the driver table. */
export const NO_DRIVER = 'none'

const evidence = z.strictObject({ turn: z.int(), quote: z.string() })

/** The JSON schema a rubric's answers are held to: every signal by its key, with its evidence. */
export function answerSchema(compiled: CompiledRubric): object {
  const keys = askedSignals(compiled).map(({ signal }) => signal.key)
  const drivers = compiled.drivers.map(({ driver }) => driver)
  const signal = z.strictObject({ key: z.enum(keys), state: z.enum(STATES), evidence: z.array(evidence) })
  const schema = z.strictObject({
    signals: z.array(signal),
    driver: z.strictObject({ name: z.enum([...drivers, NO_DRIVER]), evidence: z.array(evidence) }),
    turns_that_instruct: z.array(z.int()),
  })
  // Bounds that zod writes for every whole number; endpoints know few keywords of JSON Schema.
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum
      delete jsonSchema.maximum
    },
  })
}

/**
 * An answer as it is read. Not every endpoint holds its model to the schema: of what is not of it only that part is
 * lost, and what was not asked for (a score, say) is not read.
 */
export const modelAnswer = z.object({
  signals: z.array(
    z
      .object({
        key: z.string(),
        state: z.enum(STATES),
        evidence: z.array(z.object({ turn: z.number(), quote: z.string() })).catch([]),
      })
      .optional()
      .catch(undefined),
  ),
  driver: z
    .object({ name: z.string(), evidence: z.array(z.object({ turn: z.number(), quote: z.string() })) })
    .optional()
    .catch(undefined),
  turns_that_instruct: z.array(z.number()).catch([]),
})
export type ModelAnswer = z.output<typeof modelAnswer>

/** Reads the text of a reply; undefined when it is no answer. Text around the JSON, such as a code fence, is left out. */
export function readAnswer(text: string): ModelAnswer | undefined {
  const first = text.indexOf('{')
  const last = text.lastIndexOf('}')
  if (first < 0 || last < first) return undefined
  return modelAnswer.safeParse(parsedJson(text.slice(first, last + 1))).data
}
