import type { z } from 'zod'
import type { Asker } from './asker.js'

/**
 * A question: what callers may ask, written once and served as a tool and over REST. Transports know its name, its
 * schemas and its texts; the answer is found here.
 */
export interface Question<Input = unknown, Output = unknown> {
  readonly name: string
  readonly title: string
  /** Written for a model choosing between tools. */
  readonly description: string
  /** Strict: an unknown argument is an error. */
  readonly input: z.ZodType<Input>
  /** The input as models are shown it, where what they write best is not what programs do; `input` takes it. */
  readonly inputOfModels?: z.ZodType
  readonly output: z.ZodType<Output>
  /** Roles of which the caller must have one; absent = anyone with a key. */
  readonly roles?: readonly string[]
  answer(asker: Asker, input: Input): Promise<Output>
  /** The calls an answer lists, so that a transport that can link their transcripts does; absent = it lists none. */
  callsIn?(answer: Output): readonly string[]
}

/** Keeps the types of input and output bound to their schemas. */
export function question<I extends z.ZodType, O extends z.ZodType>(definition: {
  name: string
  title: string
  description: string
  input: I
  inputOfModels?: z.ZodType
  output: O
  roles?: readonly string[]
  answer(asker: Asker, input: z.output<I>): Promise<z.output<O>>
  callsIn?(answer: z.output<O>): readonly string[]
}): Question<z.output<I>, z.output<O>> {
  return definition as unknown as Question<z.output<I>, z.output<O>>
}
