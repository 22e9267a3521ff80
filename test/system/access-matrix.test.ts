import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewKey } from '../../src/access/key-fields.js'
import type { Caller } from '../../src/access/caller.js'
import type { Completable } from '../../src/questions/completion.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import type { KnowledgeReader } from '../../src/questions/knowledge/knowledge-bases.js'
import type { Question } from '../../src/questions/question.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { createToolServer, type ToolServer } from '../../src/mcp/tool-server.js'
import { toolServerDefaults } from '../../src/mcp/tool-server-parts.js'
import { makeAccess, silent } from '../support/access.js'
import { hourly } from '../support/activity.js'
import { anAdmission } from '../support/an-admission.js'
import { type Asking, asking, caller, knowledgeOf } from '../support/asking.js'
import { KeptMeter } from '../support/kept-meter.js'
import { KeptTrail } from '../support/kept-trail.js'
import { connectClient } from '../support/mcp-client.js'
import { promptRows, resourceRows, type Row, toolRows } from '../support/matrix/rows.js'
import { type Shape, shapes } from '../support/matrix/shapes.js'
import { isTried, isWhole } from '../support/whole.js'
import { AGENTS, calls, callsOf, foreignTo, sessionIds } from '../support/matrix/world.js'

/*
 * Every tool, resource and prompt with every shape of key. The rule that all of it is checked by: an answer must be the
 * very answer that the same key gets where the calls it may not hear were never made. Content, counts, averages,
 * examples, cursors, completions and errors all fall under it.
 */

/** Who asked what: the same in every world, and the other project's beside it. */
const activity = hourly([
  { credential_id: 'key_ann', name: 'Ann', page: 'search_calls' },
  { credential_id: 'key_bob', name: 'Bob', page: 'get_call_detail' },
  { source: 'admin_token', credential_id: 'sub', name: 'root@example.com', roles: ['SuperAdmin'] },
])
const activityOfOther = hourly([
  ...activity,
  { credential_id: 'key_foreign', name: 'Foreign key', page: 'search_calls', project_id: 'other' },
])

/** A project's own document. */
function documents(project: string): KnowledgeReader {
  const sections = [{ title: `Refunds in ${project}`, text: `A refund takes five days in ${project}.` }]
  const document = { project_id: project, kb_id: `kb_${project}`, name: 'refunds.md', title: 'Refunds', sections }
  return knowledgeOf([{ ...document, imported_at: '2026-03-01T00:00:00.000Z' }])
}

/** The real answering over a store with these calls in the project. */
async function world(agents: readonly string[], withOther: boolean): Promise<Asking> {
  const service = await asking('Europe/Berlin', {
    knowledge: id => (id === 'p' || withOther ? documents(id) : undefined),
  })
  await service.import('p', callsOf(agents))
  if (withOther) await service.import('other', calls.other)
  await service.store.activity.insert(withOther ? activityOfOther : activity)
  return service
}

/** The whole world, and for each set of agents that some key hears the world that has nothing else. */
let whole: Asking
const worlds = new Map<string, Asking>()
const worldOf = (shape: Shape) => worlds.get(shape.hears.join())!

beforeAll(async () => {
  whole = await world(AGENTS, true)
  for (const { hears } of shapes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is quick and spares memory
    if (!worlds.has(hears.join())) worlds.set(hears.join(), await world(hears, false))
  }
})
afterAll(async () => {
  await Promise.all([whole, ...worlds.values()].map(service => service.close()))
})

type Run = (service: Asking, who: Caller, args: object) => Promise<unknown>

interface Subject {
  readonly kind: 'tool' | 'resource' | 'prompt'
  readonly name: string
  readonly row: Row | undefined
  readonly run: Run
  readonly completable?: Completable
}

const context = { requestId: 'r' }

/** What is tried of a tool: its row, or its own example where it has none. */
const rowOf = ({ name, rest }: Question): Row =>
  toolRows[name] ?? { narrowed: 'yes', asks: [(rest?.example ?? {}) as Row['asks'][number]] }

const subjects: readonly Subject[] = [
  ...questions.map((question): Subject => {
    const run: Run = ({ answering }, who, args) => answering.answer(question, who, args, context)
    return { kind: 'tool', name: question.name, row: rowOf(question), run }
  }),
  ...resources.map((resource): Subject => {
    const run: Run = ({ answering }, who, args) => answering.read(resource, who, args, context)
    const { uriTemplate: name } = resource
    return { kind: 'resource', name, row: resourceRows[name], run, completable: resource }
  }),
  ...prompts.map((prompt): Subject => {
    const run: Run = ({ answering }, who, args) => answering.write(prompt, who, args, context)
    return { kind: 'prompt', name: prompt.name, row: promptRows[prompt.name], run, completable: prompt }
  }),
]

/** An answer or refusal, without what is different at every asking; sums are the same up to their rounding. */
async function outcome(answer: Promise<unknown>): Promise<unknown> {
  const told = await answer.catch((error: unknown) => {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    return { error: message, code: code ?? 'unexpected' }
  })
  return JSON.parse(
    JSON.stringify(told, (key, value: unknown) => {
      if (key === 'elapsed_ms') return undefined
      // Sealed with a random nonce: that there is one is what can be compared.
      if (key === 'next_cursor') return 'sealed'
      return typeof value === 'number' ? Number(value.toPrecision(9)) : value
    }),
  ) as unknown
}

/** Keys that hear the same and may ask the same: of all but the first of them the suite asks only the first of each row. */
const alike = ({ row }: Subject, one: Shape, other: Shape): boolean =>
  (row?.narrowed !== 'role-gated' || one.admin === other.admin) && one.hears.join() === other.hears.join()
const firstAlike = (subject: Subject, shape: Shape): Shape => shapes.find(other => alike(subject, shape, other))!

/** What is asked of a subject with a key: of a row whose answers take long the suite takes what `Row` says. */
function asksOf(subject: Subject, shape: Shape): Row['asks'] {
  const { asks = [], takesLong = false } = subject.row ?? {}
  if (isWhole) return asks
  if (firstAlike(subject, shape) !== shape) return asks.slice(0, 1)
  const foreign = foreignTo(shape.hears)
  const isForeign = (args: object) => foreign.some(word => JSON.stringify(args).includes(word))
  const row = shapes.indexOf(shape)
  return asks.filter((args, column) => !takesLong || column === 0 || isTried(row, column, 2) || isForeign(args))
}

/** What a key gets for everything that is asked of a subject with it, beside what was asked. */
function answers(subject: Subject, service: Asking, shape: Shape) {
  const { scope } = shape
  const asked = async (args: object) => ({ args, answer: await outcome(subject.run(service, caller(scope), args)) })
  return Promise.all(asksOf(subject, shape).map(asked))
}

/** Answers that are asked for once, for all the rules that are held against them. */
function kept(world: (shape: Shape) => Asking): (subject: Subject, shape: Shape) => ReturnType<typeof answers> {
  const known = new Map<Subject, Map<Shape, ReturnType<typeof answers>>>()
  return (subject, shape) => {
    const ofSubject = known.get(subject) ?? new Map<Shape, ReturnType<typeof answers>>()
    known.set(subject, ofSubject)
    const asked = ofSubject.get(shape) ?? answers(subject, world(shape), shape)
    ofSubject.set(shape, asked)
    return asked
  }
}

/** What each key gets of the whole world. */
const answersOfWhole = kept(() => whole)

/** What it gets where nothing else ever happened. */
const answersAlone = kept(worldOf)

/** What a key gets for the first that its row asks. */
const firstAnswer = ({ row, run }: Subject, { scope }: Shape) => outcome(run(whole, caller(scope), row?.asks[0] ?? {}))

describe('every tool, resource and prompt has a row', () => {
  test.each(subjects.map(({ kind, name, row }) => [kind, name, row] as const))('%s %s', (_, __, row) => {
    expect(row?.asks.length ?? 0).toBeGreaterThan(0)
  })
})

const matrix = subjects.flatMap(subject =>
  shapes.map(shape => ({ name: subject.name, key: shape.name, row: subject.row, subject, shape })),
)
const [admin] = shapes as [Shape]

describe('an answer', () => {
  test.each(matrix)('of $name for $key is as if nothing else had ever happened', async ({ subject, shape }) => {
    const here = await answersOfWhole(subject, shape)
    expect(JSON.stringify(here)).not.toContain('"code":"unexpected"')
    // What the first key that hears the same gets alone will do, but where a key is told of itself.
    const ofFirst = await answersAlone(subject, firstAlike(subject, shape))
    if (isDeepStrictEqual(here, ofFirst.slice(0, here.length))) return
    expect(here).toEqual(await answersAlone(subject, shape))
  })

  test.each(matrix)('of $name for $key has no word of a call it may not hear', async ({ subject, shape }) => {
    const words = foreignTo(shape.hears)
    for (const { args, answer } of await answersOfWhole(subject, shape)) {
      // What the asker said itself may come back.
      const said = JSON.stringify(args)
      const told = JSON.stringify(answer)
      const leaked = words.filter(word => told.includes(word) && !said.includes(word.replaceAll('"', '')))
      expect({ args, leaked }).toEqual({ args, leaked: [] })
    }
  })

  test.each(matrix.filter(({ row }) => row?.calls))('of $name for $key counts the calls it may hear', async one => {
    const answer = await firstAnswer(one.subject, one.shape)
    expect(one.row?.calls?.(answer as never)).toBe(callsOf(one.shape.hears).length)
  })

  test.each(subjects.filter(({ row }) => row?.narrowed === 'yes'))(
    'of $name is another for a narrowed key than for a full one',
    async subject => {
      const single = shapes[2]!
      const full = new Map((await answersOfWhole(subject, admin)).map(({ args, answer }) => [args, answer]))
      const own = (await answersOfWhole(subject, single)).filter(({ args }) => full.has(args))
      expect(own.map(({ answer }) => answer)).not.toEqual(own.map(({ args }) => full.get(args)))
    },
  )

  test.each(matrix.filter(({ row }) => row?.narrowed === 'no'))(
    'of $name, which is not narrowed, is for $key what it is for everyone',
    async ({ subject, shape }) => {
      const own = await answersOfWhole(subject, shape)
      // A cursor belongs to its key.
      const shared = own.map(({ answer, ...one }) => ({ ...one, answer: withoutCursor(answer) }))
      const full = (await answersOfWhole(subject, admin)).slice(0, own.length)
      expect(shared).toEqual(full.map(({ answer, ...one }) => ({ ...one, answer: withoutCursor(answer) })))
    },
  )
})

function withoutCursor(answer: unknown): unknown {
  return typeof answer === 'object' ? { ...answer, next_cursor: '' } : answer
}

describe('a tool for administrators', () => {
  const gated = matrix.filter(({ row }) => row?.narrowed === 'role-gated')

  test.each(gated.filter(({ shape }) => shape.admin))('$name answers $key', async ({ subject, shape }) => {
    expect(await firstAnswer(subject, shape)).not.toHaveProperty('error')
  })

  test.each(gated.filter(({ shape }) => !shape.admin))('$name refuses $key', async ({ subject, shape }) => {
    expect(await firstAnswer(subject, shape)).toEqual({ code: 'forbidden', error: 'Role Admin or SuperAdmin required' })
  })
})

describe('a completion', () => {
  const variables = matrix.flatMap(one =>
    Object.keys(one.subject.completable?.complete ?? {}).map(variable => ({ ...one, variable })),
  )

  test.each(variables)('of $variable of $name for $key offers nothing else', async ({ subject, shape, variable }) => {
    const complete = ({ answering }: Asking) =>
      Promise.all(
        ['', 'A', 'p-', 'p-ben', 'other', 'Str'].map(async value => ({
          value,
          ...(await answering.complete(subject.completable!, caller(shape.scope), { name: variable, value }, context)),
        })),
      )
    expect(await complete(whole)).toEqual(await complete(worldOf(shape)))
  })
})

describe('over the tool server', () => {
  let server: ToolServer
  let url: string
  const keys = new Map<string, { readonly key: string; readonly key_id: string }>()

  beforeAll(async () => {
    const access = await makeAccess()
    await access.projects.create({ project_id: 'p', timezone: 'Europe/Berlin', verticals: [] })
    const author = { name: 'root', role: 'SuperAdmin' } as const
    const fieldsOf = async ({ name, scope, teams }: Shape): Promise<NewKey> => {
      const fields = { name: name.slice(0, 60), ...scope } as NewKey
      if (teams === undefined) return fields
      for (const [team_id, agents] of Object.entries(teams)) {
        // oxlint-disable-next-line no-await-in-loop -- as below
        await access.teams.create('p', { team_id, agents: agents === 'removed' ? [] : [...agents] }, author)
      }
      return { ...fields, require_mapping: false, allowed_agents: [], teams: Object.keys(teams) }
    }
    for (const shape of shapes) {
      const { name } = shape
      // oxlint-disable-next-line no-await-in-loop -- keys are made one after the other
      const { key, key_id } = await access.keys.mint('p', await fieldsOf(shape), author)
      keys.set(name, { key, key_id })
    }
    for (const { teams = {} } of shapes) {
      for (const [id, agents] of Object.entries(teams)) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (agents === 'removed') await access.teams.remove('p', id)
      }
    }
    server = createToolServer({
      questions,
      resources,
      prompts,
      answering: whole.answering,
      trail: new KeptTrail(),
      gate: access.gate,
      keys: access.keys,
      admission: anAdmission(),
      log: silent,
      meter: new KeptMeter(),
      ready: async () => undefined,
      settings: {
        ...toolServerDefaults,
        name: 'earshot',
        version: '0',
        instructions: '',
        allowedHosts: ['127.0.0.1'],
        allowedOrigins: [],
      },
    })
    ;({ url } = await server.listen('127.0.0.1', 0))
  })
  afterAll(() => server?.close('the test is over'))

  test.each(shapes.map(shape => [shape.name, shape] as const))('%s', async (name, shape) => {
    const { key, key_id } = keys.get(name)!
    const who: Caller = { ...caller(shape.scope), app_name: name, credential_id: key_id }
    const client = await connectClient(url, key)
    try {
      const { tools } = await client.listTools()
      const allowed = questions.filter(question => shape.admin || toolRows[question.name]?.narrowed !== 'role-gated')
      expect(tools.map(tool => tool.name)).toEqual(allowed.map(question => question.name))

      const tried = subjects.filter(({ kind }) => kind === 'tool')
      const told = tried.map(async ({ name: tool, row }) => {
        const [content] = (await client.callTool({ name: tool, arguments: { ...row?.asks[0] } })).content
        return {
          tool,
          answer: await outcome(Promise.resolve(JSON.parse(content?.type === 'text' ? content.text : ''))),
        }
      })
      const asTold = (answer: unknown) => {
        const { error } = answer as { readonly error?: string }
        return error === undefined ? answer : { error }
      }
      // What was asked above is the answer, but where a key is told of itself.
      for (const [i, { tool, answer }] of (await Promise.all(told)).entries()) {
        const subject = tried[i]!
        const [known] = await answersOfWhole(subject, shape)
        if (isDeepStrictEqual(answer, asTold(known?.answer))) continue
        const direct = await outcome(subject.run(whole, who, subject.row?.asks[0] ?? {}))
        expect({ tool, answer }).toEqual({ tool, answer: asTold(direct) })
      }

      const reads = sessionIds.map(id =>
        client.readResource({ uri: `earshot://call/${id}/transcript` }).then(
          () => 'read',
          (error: unknown) => ((error as Error).message.includes(`Call not found: ${id}`) ? 'not found' : error),
        ),
      )
      const heard = new Set(callsOf(shape.hears).map(call => call.session_id))
      expect(await Promise.all(reads)).toEqual(sessionIds.map(id => (heard.has(id) ? 'read' : 'not found')))
    } finally {
      await client.close()
    }
  })
})
