import { z } from 'zod'

/** What a piece of text turned out to be: a value, or a sentence that continues "VARIABLE ". */
export type Reading<T> = { readonly value: T } | { readonly wrong: string }

/** A zod schema from trimmed text to a value. */
export function reader<T>(parse: (text: string) => Reading<T>): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    const reading = parse(text.trim())
    if ('value' in reading) return reading.value
    context.addIssue({ code: 'custom', message: reading.wrong })
    return z.NEVER
  })
}
