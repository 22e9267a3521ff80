import type { z } from 'zod'
import type { Asker } from './asker.js'
import type { Completable } from './completion.js'

/**
 * A prompt: a request that a person picks in the client and a model works on, written once. It names the tools to call
 * and quotes its arguments as JSON strings; it never holds text from calls, which a model might take for instructions.
 */
export interface Prompt<Args = unknown> extends Completable {
  readonly name: string
  readonly title: string
  /** Written for the person choosing. */
  readonly description: string
  /** A strict object of texts. */
  readonly input: z.ZodType<Args>
  write(asker: Asker, args: Args): string | Promise<string>
}

/** Keeps the type of the arguments bound to their schema. */
export function prompt<I extends z.ZodType>(
  definition: Omit<Prompt<z.output<I>>, 'input'> & { input: I },
): Prompt<z.output<I>> {
  return definition as unknown as Prompt<z.output<I>>
}
