import type { z } from 'zod'
import type { Caller } from '../access/caller.js'
import type { Asker } from './asker.js'
import type { Completable } from './completion.js'

/**
 * A resource: something with an address that callers may read, written once. Like a question it has nothing but its
 * asker, so it is narrowed like one.
 */
export interface Resource<Params = unknown, Output = unknown> extends Completable {
  readonly name: string
  readonly title: string
  /** Written for a model choosing what to read. */
  readonly description: string
  /** Its address, with variables such as `{session_id}`; a value is percent-encoded and holds no slash. */
  readonly uriTemplate: string
  /** The variables, decoded. */
  readonly params: z.ZodType<Params>
  readonly output: z.ZodType<Output>
  /** The variables of those a caller finds listed; absent = none, there are too many. */
  listed?(caller: Caller): readonly Readonly<Record<string, string>>[]
  /** Rejects with a Problem when there is none; one text for what does not exist and what is not in scope. */
  read(asker: Asker, params: Params): Promise<Output>
}

/** Keeps the types of variables and output bound to their schemas. */
export function resource<P extends z.ZodType, O extends z.ZodType>(
  definition: Omit<Resource<z.output<P>, z.output<O>>, 'params' | 'output'> & { params: P; output: O },
): Resource<z.output<P>, z.output<O>> {
  return definition as unknown as Resource<z.output<P>, z.output<O>>
}
