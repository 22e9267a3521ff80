import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const example = { documents: z.array(z.looseObject({})), pipeline: z.array(z.looseObject({})) }

const language = z.strictObject({
  rules: z.array(
    z.strictObject({
      title: z.string(),
      rules: z.array(
        z.strictObject({
          name: z.string(),
          says: z.string(),
          example: z.union([
            z.strictObject({ ...example, result: z.array(z.looseObject({})) }),
            z.strictObject({ ...example, error: z.string() }),
          ]),
        }),
      ),
    }),
  ),
  differences: z.array(z.string()),
})

/** What the pipeline language means where other readings are at hand, by subject, and where it differs from MongoDB. */
export const { rules, differences } = language.parse(
  parse(readFileSync(new URL('../pipeline/rules.yaml', import.meta.url), 'utf8')),
)
