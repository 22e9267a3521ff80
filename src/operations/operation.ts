import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Immutable } from '../base/immutable.js'
import { Problem } from '../base/problem.js'
import { streamThrough } from '../base/stream-through.js'
import type { Admin } from '../access/admin.js'
import type { Approvals } from '../access/approvals.js'
import type { Spending } from '../admission/day-budgets.js'
import type { Caller } from '../access/caller.js'
import { refusalOf } from '../questions/may-ask.js'
import type { Question } from '../questions/question.js'
import type { Services } from './services.js'

/** Who may ask for an operation, and as what it then knows them. */
export interface Who {
  /** Anyone, unauthenticated: health and readiness only. */
  open: undefined
  /** This machine, or whoever shows the token of the metrics. */
  metrics: undefined
  /** An admin token that may act on the `:project_id` of the path. */
  project_admin: Admin
  super_admin: Admin
  /** An application key or an admin token, asking about the calls of one project. */
  caller: Caller
  /** The same, with role Admin and the full project: adds and erases calls, sees the project's tasks. */
  overseer: Caller
  /** An admin token, acting on one project; never an application key. */
  administrator: Caller
}

export type Access = keyof Who

/** Kinds of access that are about the calls of one project: the credential's own, or the one that X-Project-Id names. */
export type ProjectAccess = 'caller' | 'overseer' | 'administrator'

export function namesProject(access: Access): access is ProjectAccess {
  return access === 'caller' || access === 'overseer' || access === 'administrator'
}

/** The variables of a path: `project_id` and `key_id` of `/projects/:project_id/mcp-keys/:key_id`. */
export type PathVariable<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? PathVariable<First> | PathVariable<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** A request past authentication. */
export interface Received<
  Path extends string = string,
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> {
  /** A variable of the path, percent-decoded once. */
  param(name: PathVariable<Path>): string
  /**
   * Body and query, checked against the operation's schemas when it asks for them: what is not there (404) is
   * reported before what is written wrong (422). @throws Problem `invalid_input`
   */
  body(): z.output<Body>
  query(): z.output<Query>
  /** The body of an upload, not yet read. */
  upload(): Upload
  /** Aborts when the client goes away or its key is revoked; an answer that comes later is dropped. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Logs under the request's id. */
  readonly log: Logger
  /** The body as it arrives, of an operation that streams. */
  readonly stream: Readable
  /** Sends a line of JSON ahead of the answer, in an operation that streams; resolves when the client can take more. */
  say(line: object): Promise<void>
}

/** An answer that is no JSON. */
export class TextAnswer {
  readonly type: string
  readonly text: string

  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
}

/**
 * An answer of NDJSON that is sent as its reader takes it. A failure after the first line breaks the connection off, so
 * that half an answer never looks like a whole one.
 */
export class StreamAnswer {
  /** How many lines there will be, as far as is known: a header says so, for whoever shows progress. */
  readonly total: number
  /** Texts of whole lines each. Whoever gets the answer reads it to its end or destroys it. */
  readonly lines: Readable

  constructor(total: number, lines: Readable) {
    this.total = total
    this.lines = lines
  }
}

/** An answer that is a file, which may be asked for by ranges of bytes. */
export class FileAnswer {
  /** Open for reading; whoever gets the answer closes it. */
  readonly file: FileHandle
  readonly bytes: number
  readonly type: string
  /** Tells this content from another at the same address. */
  readonly tag: string
  /** What a browser saves it as; undefined: it is shown in place. */
  readonly name: string | undefined
  /** Hears of bytes that leave. */
  sent: (bytes: number) => void = () => undefined

  private constructor(file: FileHandle, { size, mtimeMs }: Stats, { type, name }: FileKind) {
    this.file = file
    this.bytes = size
    this.type = type
    this.tag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
    this.name = name
  }

  /** Takes over an open file. */
  static async of(file: FileHandle, kind: FileKind): Promise<FileAnswer> {
    return new FileAnswer(file, await file.stat(), kind)
  }
}

interface FileKind {
  /** Its media type. */
  readonly type: string
  readonly name?: string
}

/** The header that says how many lines a streamed answer will have. */
export const TOTAL_HEADER = 'x-total-count'

export interface Upload {
  /** Begins to take the body. Whoever opens it destroys it in the end. */
  open(): Readable
  /** Bytes as sent; unknown when the client does not say. */
  readonly length: number | undefined
  /** Its media type, in lower case and without parameters. */
  readonly type: string
  /** Its Content-Encoding, in lower case; `identity` when none is said. */
  readonly encoding: string
}

/**
 * Something that can be asked of the service, defined once: the REST route and its description, the route of the control
 * socket and the typed call of a command all derive from it. Without `access` it does not compile.
 */
export interface Operation<
  Path extends string = string,
  A extends Access = Access,
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Progress extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its variables, such as `/projects/:project_id/mcp-keys`. */
  readonly url: Path
  readonly access: A
  /**
   * What it does, in a line and, where that is not all, in more. An operation without is no part of the API that is
   * described to its users: metrics, and what only our own commands ask for.
   */
  readonly summary?: string
  readonly description?: string
  /** Status of the answer; 200 by default. */
  readonly status?: 201 | 202 | 204
  /** How it is asked, for people and programs that read its description; the tests ask it so. */
  readonly example?: { readonly query?: object; readonly body?: unknown }
  /** Strict schemas; an operation without one takes no body, or no query parameters. */
  readonly body?: Body
  readonly query?: Query
  /** Most bytes of the body, where more than of others may come. */
  readonly bodyBytes?: number
  /**
   * NDJSON in and out: the body is not read ahead, lines can be said before the answer, and the answer is the last line.
   * A failure after the first line is a last line {error, code}.
   */
  readonly streams?: true
  /** The lines it says ahead of the answer, where they tell how far it has come. */
  readonly progress?: Progress
  /** When it answers 409, as a sentence; an operation without one never does. */
  readonly conflicts?: string
  /** Of an open operation: with which failures it answers. Others share theirs. */
  readonly failures?: readonly (500 | 503)[]
  /** How many rows an answer holds, for the audit trail. */
  rows?(answer: object): number
  /** What it answers with, as the API's description says and the tests check; absent for 204. */
  readonly answer?: Answer
  /** The answer is a StreamAnswer: NDJSON, a record of this schema a line. */
  readonly lines?: z.ZodType
  /** The answer is a FileAnswer, of one of these media types. */
  readonly file?: readonly string[]
  /**
   * The list of the answer that is a table, which may be asked for as text/csv; of several, that which an answer has. Its
   * columns come from the answer's schema.
   */
  readonly table?: string | readonly string[]
  /** The answer carries an ETag, and a client that has it already gets 304; by default where a GET gives a table. */
  readonly etag?: boolean
  /**
   * A key that sees no text of calls, or sees it masked, may ask it: it gives none, or gives it by an Asker. Any other is
   * refused to such a key, so that a new one is until somebody has looked.
   */
  readonly textFree?: true
  /** A key that is told of groups of calls alone may ask it; any other is refused to such a key. */
  readonly ofGroups?: true
  /**
   * With four eyes a second administrator has to confirm it: all of it, or what the function says of a request.
   */
  readonly secondPerson?: true | ((services: Services, request: Received, who: Who[Access]) => boolean)
  /** It changes nothing, although it is no GET: then it is not answered where what its caller may hear was changed meanwhile. */
  readonly reads?: true
  /** The question that it asks, and so changes nothing; any other is refused to a key that names its tools. */
  readonly question?: Pick<Question, 'name' | 'roles' | 'ofGroups' | 'ofOwnKey' | 'ofAudit'>
  /** The body is not read but handed on as a stream, of one of these media types. */
  readonly uploads?: readonly string[]
  /** A record of an upload of JSON: alone, in a list or one a line; without it there is no saying what JSON holds. */
  readonly uploaded?: z.ZodType
  /** @throws Problem, whose text goes to whoever asked */
  run(
    services: Services,
    request: Received<Path, Body, Query>,
    who: Who[A],
  ): AnswerOf<Answer> | Promise<AnswerOf<Answer>>
}

/** What an operation gives back; those without an answer give an empty object. */
type AnswerOf<Answer extends z.ZodType> = Immutable<z.input<Answer>> | StreamAnswer | TextAnswer | FileAnswer

/**
 * Runs an operation for somebody who may ask for it. An administrator may name a project that is not there; a key's
 * project always is. @throws Problem, whose text goes to whoever asked
 */
export async function runOperation(
  asked: Operation,
  services: Services,
  request: Received,
  who: Who[Access],
): Promise<object> {
  if (who !== undefined && 'access_scope' in who) {
    if (asked.textFree !== true && who.access_scope.text !== 'full') {
      const sees = who.access_scope.text === 'none' ? 'no text of calls' : 'texts of calls masked'
      throw new Problem('forbidden', `This key sees ${sees}, and this may give or need some as they are`)
    }
    const refusal = refusalOf(asked.question ?? asked, who.access_scope)
    if (refusal !== undefined) throw refusal
    if (who.access_scope.read_only === true && asked.question === undefined && asked.method !== 'GET') {
      throw new Problem('forbidden', 'This key may ask, and change nothing')
    }
    await services.projects.lookUp(who.project_id)
    services.projects.get(who.project_id)
    const { budget, ...terms } = who.terms ?? {}
    // A question takes of it itself, and what an operation asks on its way is of the same request.
    if (budget !== undefined && who.terms !== undefined && asked.question === undefined) {
      await confirmed(asked, services, request, who)
      const spending = await services.admission.budgets.take(who.credential_id, budget)
      const answer = (await asked.run(services, request, {
        ...who,
        terms: { ...terms, since: who.terms.since },
      })) as object
      return counted(answer, spending)
    }
  } else if (asked.url.includes('/:project_id')) {
    await services.projects.lookUp(request.param('project_id' as never))
  }
  await confirmed(asked, services, request, who)
  return (await asked.run(services, request, who)) as object
}

/** Waits for a second administrator's word, where one is asked for. */
async function confirmed(asked: Operation, services: Services, request: Received, who: Who[Access]): Promise<void> {
  const { secondPerson } = asked
  if (secondPerson === undefined || who === undefined || services.approvals === undefined) return
  // What is not there comes before what is written wrong, and before what waits.
  if (!('access_scope' in who)) services.projects.get(request.param('project_id' as never))
  if (secondPerson !== true && !secondPerson(services, request, who)) return
  await requireSecondPerson(services.approvals, asked, request, who)
}

/**
 * Lets past what a second administrator confirmed. A key asks for nothing of the kind: nobody knows whose hands it is in.
 * @param of what else they confirm, where the request alone does not say what comes of it
 * @throws Problem `forbidden`
 */
export async function requireSecondPerson(
  approvals: Approvals,
  asked: Pick<Operation, 'method' | 'url' | 'query' | 'body'>,
  request: Pick<Received, 'param' | 'query' | 'body'>,
  who: Admin | Caller,
  of: object = {},
): Promise<void> {
  if ('source' in who && who.source === 'application_key') {
    throw new Problem(
      'forbidden',
      'Here an administrator asks for this with an admin token, and a second one confirms it: a key can’t',
    )
  }
  const path = Object.fromEntries(variablesOf(asked).map(name => [name, request.param(name as never)]))
  const what = {
    path,
    ...(asked.query !== undefined && { query: request.query() }),
    ...(asked.body !== undefined && { body: request.body() }),
    ...of,
  }
  const person =
    'source' in who ? { subject: who.credential_id, name: who.app_name } : { subject: who.subject, name: who.name }
  const projectId = 'project_id' in who ? who.project_id : (path['project_id'] ?? '')
  await approvals.use(projectId, { action: `${asked.method} ${asked.url}`, asked: what }, person)
}

/** Counts what leaves, also of what is still to be read. */
function counted(answer: object, spending: Spending): object {
  if (answer instanceof FileAnswer) {
    answer.sent = bytes => spending.answered(bytes)
    return answer
  }
  if (!(answer instanceof StreamAnswer)) {
    spending.answered(Buffer.byteLength(answer instanceof TextAnswer ? answer.text : JSON.stringify(answer)))
    return answer
  }
  const count = async function* (pieces: AsyncIterable<string>) {
    for await (const piece of pieces) {
      spending.answered(Buffer.byteLength(piece))
      yield piece
    }
  }
  return new StreamAnswer(answer.total, streamThrough(answer.lines, count, { highWaterMark: 1 }))
}

/** Whether it changes nothing, so that it may be asked again. */
export function isReading({ method, question, reads }: Pick<Operation, 'method' | 'question' | 'reads'>): boolean {
  return method === 'GET' || question !== undefined || reads === true
}

/** Whether answers carry an ETag. */
export function isTagged({ etag, method, table }: Pick<Operation, 'etag' | 'method' | 'table'>): boolean {
  return etag ?? (method === 'GET' && table !== undefined)
}

const PATH_VARIABLE = /:(\w+)/g

/** The variables that an operation's path names. */
export function variablesOf({ url }: Pick<Operation, 'url'>): readonly string[] {
  return [...url.matchAll(PATH_VARIABLE)].map(([, name = '']) => name)
}

/** Keeps the types of path, body, query, answer and who asks bound to what the operation declares. */
export function operation<
  const Path extends string,
  A extends Access,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodObject,
  Answer extends z.ZodType = z.ZodType<object, object>,
  Progress extends z.ZodType = z.ZodNever,
>(definition: Operation<Path, A, Body, Query, Answer, Progress>): Operation<Path, A, Body, Query, Answer, Progress> {
  return definition
}
