import { pino } from 'pino'
import { z } from 'zod'
import type { Caller } from '../../src/access/caller.js'
import { RefusedEntry } from '../../src/access/refused-entry.js'
import { Problem } from '../../src/base/problem.js'
import { createToolServer } from '../../src/mcp/tool-server.js'
import type { Entered } from '../../src/mcp/request-context.js'
import { toolServerDefaults, type ToolServerParts, type ToolServerSettings } from '../../src/mcp/tool-server-parts.js'
import type { AdmissionSettings } from '../../src/admission/admission.js'
import { anAdmission } from '../support/an-admission.js'
import { KeptTrail } from '../support/kept-trail.js'
import { KeptMeter } from '../support/kept-meter.js'
import type { AnswerContext, Answering } from '../../src/questions/answering.js'
import { question, type Question } from '../../src/questions/question.js'

/** A question that tells who asks. */
export const whoAmI = question({
  name: 'who_am_i',
  title: 'Who am I',
  description: 'Says who asks.',
  input: z.strictObject({ greeting: z.string().max(20).optional() }),
  output: z.object({ app: z.string(), roles: z.array(z.string()), greeting: z.string().optional() }),
  answer: () => Promise.reject(new Error('answered by the double')),
})

/** A question that waits until it is released, or until nobody wants its answer any more. */
export const waitForIt = question({
  name: 'wait_for_it',
  title: 'Wait for it',
  description: 'Answers when released.',
  input: z.strictObject({}),
  output: z.object({ released: z.boolean() }),
  answer: () => Promise.reject(new Error('answered by the double')),
})

/** A question for administrators. */
export const secretLedger = question({
  name: 'secret_ledger',
  title: 'Secret ledger',
  description: 'Only for administrators.',
  input: z.strictObject({}),
  output: z.object({ entries: z.number() }),
  roles: ['Admin', 'SuperAdmin'],
  answer: () => Promise.reject(new Error('answered by the double')),
})

/** A question that fails in the way its argument says. */
export const failing = question({
  name: 'failing',
  title: 'Failing',
  description: 'Fails.',
  input: z.strictObject({ how: z.enum(['problem', 'crash', 'huge']) }),
  output: z.object({ text: z.string() }),
  answer: () => Promise.reject(new Error('answered by the double')),
})

/** Answers the questions above as the real answering would: role, strict arguments, then the answer. */
class AnsweringDouble implements Answering {
  readonly signals: AbortSignal[] = []
  readonly requestIds: string[] = []
  /** Whether each answer may still be told, as what puts them on record asks. */
  readonly checks: (() => void)[] = []
  #release: (() => void)[] = []

  async answer(asked: Question, caller: Caller, args: unknown, context: AnswerContext): Promise<object> {
    this.requestIds.push(context.requestId)
    this.checks.push(context.check!)
    if (asked.roles?.every(role => !caller.access_scope.roles.includes(role)) === true) {
      throw new Problem('forbidden', `Role ${asked.roles.join(' or ')} required`)
    }
    const parsed = asked.input.safeParse(args)
    if (!parsed.success) throw new Problem('invalid_input', `refused: ${parsed.error.issues[0]?.code}`)
    switch (asked.name) {
      case 'who_am_i':
        return { app: caller.app_name, roles: caller.access_scope.roles, ...(parsed.data as object) }
      case 'secret_ledger':
        return { entries: 7 }
      case 'wait_for_it':
        return await this.#wait(context.signal!)
      default:
        return fail(parsed.data as { how: string })
    }
  }

  read(): Promise<never> {
    return Promise.reject(new Error('no resources here'))
  }

  write(): Promise<never> {
    return Promise.reject(new Error('no prompts here'))
  }

  complete(): Promise<never> {
    return Promise.reject(new Error('no completions here'))
  }

  /** Lets the waiting questions answer. */
  release(): void {
    for (const go of this.#release.splice(0)) go()
  }

  async #wait(signal: AbortSignal): Promise<object> {
    this.signals.push(signal)
    await new Promise<void>((resolve, reject) => {
      this.#release.push(resolve)
      signal.addEventListener('abort', () => reject(new Problem('cancelled', 'The request was cancelled')))
    })
    return { released: true }
  }
}

function fail({ how }: { how: string }): object {
  if (how === 'huge') return { text: 'x'.repeat(2_000_000) }
  if (how === 'problem') throw new Problem('not_found', 'Call not found: abc')
  throw new Error('select * from secrets failed in /var/lib/store.ts')
}

/** A gate and a key registry in one, over keys given to it; as strict as the real one about the header. */
class KeysDouble {
  readonly #keys = new Map<string, Caller>()
  readonly #listeners = new Set<(event: { keyId: string; kind: 'changed' | 'revoked' }) => void>()
  entered = 0
  limit = Infinity

  get size(): number {
    return this.#keys.size
  }

  mint(
    name: string,
    roles: readonly string[] = ['Admin'],
    { project_id = 'acme', allowed_agents = [] }: { project_id?: string; allowed_agents?: readonly string[] } = {},
  ): void {
    this.#keys.set(name, {
      project_id,
      source: 'application_key',
      app_name: name,
      credential_id: name,
      access_scope: { is_supervisor: true, roles, allowed_agents, require_mapping: false, text: 'full' },
    })
  }

  patch(name: string, roles: readonly string[]): void {
    this.mint(name, roles)
    for (const tell of this.#listeners) tell({ keyId: name, kind: 'changed' })
  }

  revoke(name: string): void {
    this.#keys.delete(name)
    for (const tell of this.#listeners) tell({ keyId: name, kind: 'revoked' })
  }

  onChange(listener: (event: { keyId: string; kind: 'changed' | 'revoked' }) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async enter(authorization: string | undefined): Promise<Entered> {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) throw new Problem('unauthenticated', 'Authentication required')
    const caller = this.#callerOf(token)
    this.entered += 1
    if (this.entered > this.limit) {
      throw new RefusedEntry(new Problem('too_many_requests', 'Too many requests', { retryAfter: 7 }), caller)
    }
    return await Promise.resolve({ caller, keyId: token, current: () => this.#callerOf(token) })
  }

  #callerOf(token: string): Caller {
    const caller = this.#keys.get(token)
    if (caller === undefined) throw new Problem('unauthenticated', 'Invalid or inactive API key')
    return caller
  }
}

/** A tool server on a free port over doubles, with keys `ada` and `ben`. */
export async function startToolServer(
  settings: Partial<ToolServerSettings> & Partial<AdmissionSettings> = {},
  more: Partial<
    Pick<ToolServerParts, 'questions' | 'resources' | 'prompts' | 'answering' | 'ready' | 'viewPage' | 'sessionIds'>
  > & {
    readonly port?: number
  } = {},
) {
  const answering = new AnsweringDouble()
  const keys = new KeysDouble()
  keys.mint('ada')
  keys.mint('ben', [])
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const meter = new KeptMeter()
  const trail = new KeptTrail()
  const server = createToolServer({
    questions: more.questions ?? [whoAmI, waitForIt, secretLedger, failing],
    resources: more.resources ?? [],
    prompts: more.prompts ?? [],
    ...(more.viewPage !== undefined && { viewPage: more.viewPage }),
    ...(more.sessionIds !== undefined && { sessionIds: more.sessionIds }),
    answering: more.answering ?? answering,
    trail,
    gate: keys,
    keys,
    admission: anAdmission(settings),
    log,
    meter,
    ready: more.ready ?? (() => Promise.resolve(undefined)),
    settings: {
      ...toolServerDefaults,
      name: 'earshot',
      version: '0.0.1',
      instructions: 'Start with who_am_i.',
      allowedHosts: ['127.0.0.1', 'localhost'],
      allowedOrigins: ['https://calls.example.com'],
      graceMs: 200,
      ...settings,
    },
  })
  const { url, port } = await server.listen('127.0.0.1', more.port ?? 0)
  return {
    url,
    port,
    server,
    answering,
    keys,
    lines,
    meter,
    record: trail.events,
    messages: () => lines.map(l => (JSON.parse(l) as { msg: string }).msg),
  }
}

export type RunningToolServer = Awaited<ReturnType<typeof startToolServer>>
