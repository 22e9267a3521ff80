import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import { ModelFault } from './model-fault.js'

/**
 * Requests of one batch, and the bytes of their bodies. Providers take 50,000 and 200 MB (OpenAI), 100,000 and 256 MB
 * (Anthropic); a batch is held in memory when it is sent and when its answers are read.
 */
export const BATCH_LIMITS = { requests: 1_000, bytes: 16 * 1024 * 1024 }

/** A request in a batch. */
export interface BatchRequest {
  /** 1–64 of A–Z, a–z, 0–9, _ and -; once in a batch. */
  readonly id: string
  /** The body that would be sent by itself, JSON. */
  readonly body: string
}

/** What is known of a batch whose name the provider may have given while nobody listened. */
export interface BatchTrace {
  readonly fileId: string | undefined
  readonly requests: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** How far a batch is. */
export interface BatchLook {
  readonly ended: boolean
  /** Requests that are dealt with; some providers say so at the end only. */
  readonly done: number
  /** Why the provider did not take it at all, as a sentence. */
  readonly refused?: string
  /** What holds its results. */
  readonly files: readonly string[]
}

/** What came of a request: the body of its answer, JSON, or a sentence. */
export type BatchResult = { readonly id: string } & ({ readonly body: string } | { readonly fault: string })

export interface BatchResults {
  readonly results: readonly BatchResult[]
  /** Lines that are no results. */
  readonly unreadable: number
}

/** Sends many requests together at half the price, and fetches their answers hours later. */
export interface BatchClient {
  /** @returns the provider's name for the file, where it wants the requests as one first */
  upload(requests: readonly BatchRequest[], signal: AbortSignal): Promise<string | undefined>
  /**
   * Tried once: whoever gets a fault looks for it before trying again, since it may be there, and is paid for.
   * @param beta features that the requests need
   * @returns the provider's name for it
   */
  create(
    requests: readonly BatchRequest[],
    fileId: string | undefined,
    beta: string | undefined,
    signal: AbortSignal,
  ): Promise<string>
  /** The name of a batch that was sent, if it arrived. @param known names of others */
  find(trace: BatchTrace, known: ReadonlySet<string>, signal: AbortSignal): Promise<string | undefined>
  look(name: string, signal: AbortSignal): Promise<BatchLook>
  /** Of a batch that has ended, in any order. */
  results(name: string, look: BatchLook, signal: AbortSignal): Promise<BatchResults>
  cancel(name: string, signal: AbortSignal): Promise<void>
  /** Has the provider delete what it keeps of a batch that has ended: it holds transcripts. */
  forget(name: string, fileIds: readonly string[], signal: AbortSignal): Promise<void>
}

/** A request to a provider's API, retried where that may help. @throws ModelFault, or the signal's reason */
export type AskApi = (
  path: string,
  options: {
    readonly signal: AbortSignal
    readonly method?: 'GET' | 'POST' | 'DELETE'
    readonly body?: string | (() => FormData)
    readonly headers?: Readonly<Record<string, string>>
    /** False: it is tried once. */
    readonly again?: boolean
  },
) => Promise<string>

/** The provider has no such batch, or no batches at all. */
export class NoBatch extends ModelFault {}

/** A provider's name for something: it stands in addresses. */
export const remoteName = z.string().regex(/^[\w.:-]{1,200}$/)

/** @throws ModelFault */
export function readApi<T>(schema: z.ZodType<T>, text: string): T {
  const read = schema.safeParse(parsedJson(text))
  if (read.success) return read.data
  throw new ModelFault('The model’s endpoint gave an answer that is not of its API for batches', { again: true })
}

/** The lines of a file of results, each by its schema. */
export function readResults<T>(text: string, schema: z.ZodType<T>, resultOf: (line: T) => BatchResult): BatchResults {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const results = lines.flatMap(line => {
    const read = schema.safeParse(parsedJson(line))
    return read.success ? [resultOf(read.data)] : []
  })
  return { results, unreadable: lines.length - results.length }
}

/** Said of requests that the provider did not get to within its 24 hours, or that were cancelled. */
export const EXPIRED = 'The provider did not get to it within the hours of its batch: the next run sends it again'
export const CANCELLED = 'Its batch was cancelled before the provider got to it'
