import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolDefinition } from '../../src/mcp/tools.js'
import { Problem } from '../../src/base/problem.js'
import type { Question } from '../../src/questions/question.js'
import { questions } from '../../src/questions/questions.js'
import { type Asking, asking, caller, knowledgeOf } from '../support/asking.js'
import { isTried } from '../support/whole.js'

// Every argument of every tool, with every kind of value it does not take: generated from the definitions, so that a new
// tool or argument is attacked from its first day. What comes back is an answer or a sentence of ours, never a failure.

interface Described {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

let service: Asking
beforeAll(async () => {
  const document = { project_id: 'p', kb_id: 'kb_1', name: 'a.md', title: 'A', imported_at: '', sections: [] }
  service = await asking('UTC', { knowledge: () => knowledgeOf([document]) })
  await service.import('p', [{ session_id: 's', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', score: 3 }])
})
afterAll(() => service.close())

/** Arguments with which a tool answers. */
const GOOD: Readonly<Record<string, object>> = {
  get_call_detail: { session_id: 's' },
  compare_calls: { session_id_a: 's', session_id_b: 's' },
  detect_changes: { period: 'last week' },
  query_interactions: { pipeline: [{ $count: 'calls' }] },
  query_knowledge_base: { query: 'refund' },
  query_user_activity: { query_type: 'summary' },
}

async function ask(question: Question, args: object): Promise<object | Problem> {
  try {
    return (await service.ask(question, args)) as object
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Values that an argument can't have, whatever it means. */
function wrong({ type, enum: known, minimum, maximum }: Described): readonly unknown[] {
  const others = {
    string: [7, true, {}, ['a'], null],
    integer: ['7', 1.5, true, {}, null],
    number: ['7', true, {}, null],
    boolean: ['true', 1, {}, null],
    array: [7, true, {}, null],
    object: [7, true, 'a', null],
  }[type ?? ''] ?? [null]
  return [
    ...others,
    ...(known === undefined ? [] : ['no such thing', '']),
    ...(minimum === undefined ? [] : [minimum - 1, -1e308]),
    ...(maximum === undefined ? [] : [maximum + 1, 1e308]),
  ]
}

/** Values that an argument may or may not have, and that must do no harm. */
const ODD: readonly unknown[] = [
  '',
  ' ',
  'x'.repeat(100_000),
  'a\u0000b',
  '\ud800',
  '__proto__',
  "'; drop table calls; --",
  '$where',
  '../../etc/passwd',
  '%s%n',
  '2026-02-30',
  '+300000-01-01',
  '+275760-09-13',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  'next week',
  0,
  -1,
  2 ** 53,
  [],
  {},
  [[[]]],
  { $gt: '' },
]

/** As an argument, or as the path a pipeline's refusal begins with. */
const NAMED = (name: string) => new RegExp(`"${name}[".[]|^${name}[:[]`)

describe.each(questions.map((question, i) => [question.name, question, i] as const))('%s', (name, question, place) => {
  const good = GOOD[name] ?? {}
  const { properties = {} } = toolDefinition(question).inputSchema
  const described = Object.entries(properties) as [string, Described][]

  test('answers what it is asked rightly', async () => {
    expect(await ask(question, good)).not.toBeInstanceOf(Problem)
  })

  test.each(described)('"%s": a value it does not take is refused by its name', async (argument, description) => {
    for (const value of wrong(description)) {
      const answer = await ask(question, { ...good, [argument]: value })
      expect({ value, answer }).toEqual({ value, answer: expect.any(Problem) as Problem })
      expect((answer as Problem).code).toMatch(/^invalid_/)
      expect((answer as Problem).message).toMatch(NAMED(argument))
    }
  })

  const odd = described.map(([argument], i) => [argument, place + i] as const)
  test.each(odd)('"%s": an odd value is answered or refused in a sentence', async (argument, column) => {
    for (const value of ODD.filter((_, row) => isTried(row, column, 3))) {
      const answer = await ask(question, { ...good, [argument]: value })
      const said = answer instanceof Problem ? answer.message : ''
      // Only the caller's own input, cut, and never what is behind.
      expect(said.length).toBeLessThan(2_000)
      expect(said).not.toMatch(/\bat .*\.[jt]s|SELECT|Binder|Parser Error|duckdb/i)
    }
  })

  test('an unknown argument, and a project of the caller’s choice, are refused by name with the nearest one', async () => {
    for (const argument of ['project_id', 'date_form', 'x'.repeat(5_000)]) {
      const answer = await ask(question, { ...good, [argument]: 'p' })
      expect(answer).toMatchObject({ code: 'invalid_input' })
      expect((answer as Problem).message).toContain(argument.slice(0, 80))
    }
  })

  test('arguments that are no object are refused', async () => {
    for (const args of [[], 'a', 7, true]) {
      expect(await ask(question, args as object)).toMatchObject({ code: 'invalid_input' })
    }
  })

  const agents = described.some(([argument]) => argument === 'agent_name')
  test.runIf(agents)('an agent outside the scope by name answers as one who does not exist', async () => {
    const ben = caller({ allowed_agents: ['Ben'] })
    const named = (agent_name: string) => service.ask(question, { ...good, agent_name }, ben)
    expect(await named('Ana')).toEqual(await named('Nobody'))
  })

  const dated = described.some(([argument]) => argument === 'date_from')
  test.runIf(dated)(
    'reversed dates are an error that names both, and a window without calls is an answer',
    async () => {
      const reversed = await ask(question, { ...good, date_from: '2026-03-02', date_to: '2026-03-01' })
      expect(reversed).toMatchObject({ code: 'invalid_input' })
      expect((reversed as Problem).message).toMatch(/2026-03-02.*2026-03-01/s)
      const empty = await ask(question, { ...good, date_from: '1999-01-01', date_to: '1999-01-02' })
      expect(empty).not.toBeInstanceOf(Problem)
      expect(empty).toHaveProperty('window')
    },
  )
})

test('a period that can’t be read is answered with the forms there are', async () => {
  const detect = questions.find(question => question.name === 'detect_changes')!
  for (const period of ['soon', '2026-13', '2026-W54', 'last 0 days', '2026-02-30 to 2026-03-01']) {
    const answer = await ask(detect, { period })
    expect((answer as Problem).message).toContain('It is one of: today, yesterday')
  }
  const reversed = (await ask(detect, { period: '2026-03-02 to 2026-03-01' })) as Problem
  expect(reversed.message).toBe('Argument "period": "2026-03-02" is after "2026-03-01"')
})
