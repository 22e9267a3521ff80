import type { CallToolResult, ResourceLink, Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Admission } from '../admission/admission.js'
import type { Caller } from '../access/caller.js'
import type { Trail } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import { shapeError } from '../base/shape-error.js'
import type { Answering } from '../questions/answering.js'
import { mayAsk } from '../questions/may-ask.js'
import type { Question } from '../questions/question.js'
import { answerSchema } from './answer-schema.js'
import { recordUnknown, unknownName } from './protocol-failure.js'
import { type Asked, contextOf } from './request-context.js'
import { transcriptLinks } from './transcript-links.js'

/** The questions as tools. Throws when one can't be described; the server then runs without tools and says so. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, { readonly question: Question; readonly definition: Tool }>

  constructor(questions: readonly Question[]) {
    this.#tools = new Map(questions.map(q => [q.name, { question: q, definition: toolDefinition(q) }]))
    if (this.#tools.size < questions.length) throw new Error('Two questions have the same name')
  }

  get size(): number {
    return this.#tools.size
  }

  /** The question of this name, whoever asks: a refusal for lack of a role is the question's answer. */
  question(name: string): Question | undefined {
    return this.#tools.get(name)?.question
  }

  /** The tools a caller may use. One whose role it lacks is not listed. */
  listFor(caller: Caller): Tool[] {
    return [...this.#tools.values()]
      .filter(({ question }) => mayAsk(question, caller.access_scope))
      .map(({ definition }) => definition)
  }
}

/**
 * A question as clients see it in tools/list. Made once per question: turning zod into JSON Schema on every list costs
 * three quarters of the lists per second.
 *
 * The schemas are only shown, never enforced here: the SDK would drop unknown arguments silently, the question refuses
 * them by name.
 */
export function toolDefinition(question: Question): Tool {
  return {
    name: question.name,
    title: question.title,
    description: question.description,
    inputSchema: inputSchema(question.inputOfModels ?? question.input),
    outputSchema: objectSchema(answerSchema(question.output)),
    annotations: {
      title: question.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

function inputSchema(schema: z.ZodType): Tool['inputSchema'] {
  // Written out in full, because some clients do not follow references.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' })
  return objectSchema(json)
}

function objectSchema(json: z.core.JSONSchema.BaseSchema): Tool['inputSchema'] {
  if (json.type !== 'object') throw new Error('Input and output of a question must be objects')
  return json as Tool['inputSchema']
}

interface CallToolParts {
  readonly tools: ToolRegistry
  readonly answering: Answering
  readonly trail: Trail
  readonly resultBytes: number
  readonly admission: Pick<Admission, 'budgets'>
}

/**
 * Answers one tools/call. A failure is a result that says so; only a tool that does not exist is the protocol's
 * invalid-params error.
 */
export async function callTool(
  { tools, answering, trail, resultBytes, admission }: CallToolParts,
  asked: Asked,
  call: { readonly name: string; readonly arguments?: unknown },
): Promise<CallToolResult> {
  const { request } = asked
  const { caller, log } = request
  const question = tools.question(call.name)
  if (question === undefined) {
    await recordUnknown(trail, request, 'unknown tool')
    const known = tools.listFor(caller).map(tool => tool.name)
    throw unknownName('tool', call.name, known)
  }
  try {
    const answer = await answering.answer(question, caller, call.arguments ?? {}, contextOf(asked, caller))
    const links = caller.access_scope.text !== 'none' ? transcriptLinks(question.callsIn?.(answer) ?? []) : []
    const { budget } = caller.terms ?? {}
    const left = budget === undefined ? undefined : admission.budgets.left(caller.credential_id, budget)
    return { ...result(answer, links, resultBytes), ...(left !== undefined && { _meta: { [BUDGET_META]: left } }) }
  } catch (error) {
    const { body } = shapeError(error, (reference, cause) => {
      log.error({ reference, tool: question.name, err: cause }, 'A tool call failed')
    })
    const reference = body.reference === undefined ? {} : { reference: body.reference }
    // No structuredContent beside an error: it would have to fit the tool's output schema, and clients check that.
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: body.error, ...reference }) }] }
  }
}

/** Where an answer says what is left of a key's budget. */
const BUDGET_META = 'earshot/budget'

function result(answer: object, links: readonly ResourceLink[], maxBytes: number): CallToolResult {
  const text = JSON.stringify(answer)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) {
    throw new Problem(
      'too_large',
      `The answer has ${bytes} bytes, more than the ${maxBytes} bytes of one tool result; ask for less at a time`,
    )
  }
  return { content: [{ type: 'text', text }, ...links], structuredContent: answer }
}
