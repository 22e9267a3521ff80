import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Immutable } from '../base/immutable.js'
import { Problem } from '../base/problem.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import type { Operation, PathVariable, ProjectAccess } from '../operations/operation.js'
import type { ImportEnd } from '../operations/import-frames.js'
import type { Masking } from '../redact/mask.js'
import type { EvaluationSetting } from '../store/records/project.js'
import type { CallStore } from '../store/store.js'

/** What an operation takes: the variables of its path, its query and body, and the project it is about. */
export type InputOf<O extends Operation> = Readonly<Record<PathVariable<O['url']>, string>> & {
  readonly query?: Immutable<z.input<NonNullable<O['query']>>>
} & (NonNullable<O['body']> extends z.ZodUndefined
    ? unknown
    : { readonly body: Immutable<z.input<NonNullable<O['body']>>> }) &
  (O['access'] extends ProjectAccess ? { readonly project: string } : unknown)

/** What an operation answers: made for whoever asked, and theirs. */
export type AnswerOf<O extends Operation> = z.output<NonNullable<O['answer']>>

/** Who waits for something that takes long. */
export interface Watching<O extends Operation> {
  /** Ends what is under way. */
  readonly signal?: AbortSignal
  /** Hears how far it is, of an operation that streams. */
  readonly onProgress?: (progress: z.output<NonNullable<O['progress']>>) => void
}

/** An answer in lines. */
export interface Lines {
  /** How many there will be. */
  readonly total: number
  /** Pieces of whole lines. It fails when it breaks off. */
  readonly stream: Readable
}

/** What an import writes to. */
export interface ImportTarget extends Pick<CallStore, 'upsert' | 'preview' | 'agentIds'> {
  /** The project's setting: which personal data is masked in all calls that come into it. */
  readonly redact: Masking
  /** The project's setting: how calls get an evaluation that bring none. */
  readonly evaluation: EvaluationSetting
  /** What rules evaluate the project's calls by; undefined where its rubric can't be read. */
  readonly rubric: RunRubric | undefined
}

/**
 * How a command reaches what is kept: the store itself, or the running server that holds it. Both run the same operations
 * with the operator's rights, and put each on record.
 */
export interface Client {
  /** Runs an operation. @throws Problem, the same by both ways */
  run<O extends Operation>(operation: O, input: InputOf<O>, watching?: Watching<O>): Promise<AnswerOf<O>>
  /** The same where the answer is a stream of lines; whoever gets it reads it to its end or destroys it. */
  lines<O extends Operation>(operation: O, input: InputOf<O>, signal: AbortSignal): Promise<Lines>
  /**
   * Runs an import into a project.
   *
   * @param dryRun the work only looks: there is nothing to put on record
   * @throws Problem `not_found` (no such project)
   */
  import<T extends ImportEnd>(
    projectId: string,
    work: (target: ImportTarget) => Promise<T>,
    dryRun?: boolean,
  ): Promise<T>
  close(): Promise<void>
}

/** An input in its parts, as requests carry them. */
export interface InputParts {
  readonly variables: Readonly<Record<string, string>>
  /** As text, without what was not given; a list is a parameter given several times. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: unknown
  readonly project: string | undefined
}

export function partsOf<O extends Operation>(input: InputOf<O>): InputParts {
  const { query = {}, body, project, ...variables } = input as Record<string, unknown>
  const given = Object.entries(query as object).filter(([, value]) => value !== undefined)
  return {
    variables: variables as Readonly<Record<string, string>>,
    query: Object.fromEntries(
      given.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
    ),
    body,
    project: project as string | undefined,
  }
}

/**
 * An answer as its operation describes it, or with more: a later version may say what this one does not know.
 * @param from who answered, in a sentence
 * @throws Problem `conflict` for any other
 */
export function answerOf<O extends Operation>({ answer }: O, answered: unknown, from: string): AnswerOf<O> {
  const read = answer?.safeParse(answered)
  if (read?.success === true) return read.data as AnswerOf<O>
  if (read?.error.issues.every(({ code }) => code === 'unrecognized_keys') !== false) return answered as AnswerOf<O>
  throw new Problem('conflict', `What ${from} answers is not what this command expects: it may be of another version`)
}
