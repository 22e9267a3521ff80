import type { z } from 'zod'
import type { Asker } from './asker.js'

/** How a question is asked over REST; an operation is made of it (operations/ask-questions.ts). */
interface RestForm {
  /** A path; its variables are arguments. */
  readonly url: string
  /** Where the other arguments stand: parameters, unless they are no texts and numbers. */
  readonly takes?: 'body'
  /** In place of the title, where that is another operation's. */
  readonly summary?: string
  /** The list of the answer that is a table; of several, that which an answer has. */
  readonly table?: string | readonly string[]
  readonly example?: object
  /** Whether its answers carry a tag; asking for some of them changes what they say. */
  readonly etag?: false
}

/**
 * A question: what callers may ask, written once and served as a tool and over REST. Transports know its name, its
 * schemas and its texts; the answer is found here.
 */
export interface Question<Input = unknown, Output = unknown> {
  readonly name: string
  readonly title: string
  /** Written for a model choosing between tools. */
  readonly description: string
  /** Absent: it is asked in other ways only. */
  readonly rest?: RestForm
  /** Strict: an unknown argument is an error. */
  readonly input: z.ZodType<Input>
  /** The input as models are shown it, where what they write best is not what programs do; `input` takes it. */
  readonly inputOfModels?: z.ZodType
  readonly output: z.ZodType<Output>
  /** Roles of which the caller must have one; absent = anyone with a key. */
  readonly roles?: readonly string[]
  /** A key that is told of groups of calls alone may ask it: of calls it says what `asker.groups` does, and no more. */
  readonly ofGroups?: true
  /** It tells of the caller's own key and nothing else: a key that names its tools may ask it too. */
  readonly ofOwnKey?: true
  /** A key with the role Auditor may ask it: it tells of no call. */
  readonly ofAudit?: true
  answer(asker: Asker, input: Input): Promise<Output>
  /** The name of the page that draws its answers, where a client shows such; absent = there is none. */
  readonly view?: string
  /** The calls an answer lists, so that a transport that can link their transcripts does; absent = it lists none. */
  callsIn?(answer: Output): readonly string[]
}

/** Keeps the name, and the types of input and output bound to their schemas. */
export function question<const Name extends string, I extends z.ZodType, O extends z.ZodType>(definition: {
  name: Name
  title: string
  description: string
  rest?: RestForm
  input: I
  inputOfModels?: z.ZodType
  output: O
  roles?: readonly string[]
  ofGroups?: true
  ofOwnKey?: true
  ofAudit?: true
  view?: string
  answer(asker: Asker, input: z.output<I>): Promise<z.output<O>>
  callsIn?(answer: z.output<O>): readonly string[]
}): Question<z.output<I>, z.output<O>> & { readonly name: Name } {
  return definition as unknown as Question<z.output<I>, z.output<O>> & { readonly name: Name }
}
