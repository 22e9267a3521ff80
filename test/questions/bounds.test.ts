import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questionOperations, toolOperations } from '../../src/operations/ask-questions.js'
import { namesProject, type Operation, type Received, runOperation } from '../../src/operations/operation.js'
import { operations } from '../../src/operations/operations.js'
import { explainMyScope } from '../../src/questions/explain-scope.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import { queryUserActivity } from '../../src/questions/query-user-activity.js'
import type { Question } from '../../src/questions/question.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { restQuestions } from '../../src/questions/rest-questions.js'
import { ToolRegistry } from '../../src/mcp/tools.js'
import { servicesOf } from '../support/api.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { promptRows, resourceRows, toolRows } from '../support/matrix/rows.js'
import { canaryCall } from '../support/text-free.js'

/** Keys that name their tools, or may change nothing: everything there is to ask, by every way. */

const TOOLS = ['get_project_summary', 'search_calls']
const bounded = caller({ tools: TOOLS, roles: ['Admin'] })
const context = { requestId: 'r' }
const ONLY = 'This key may ask these tools only: get_project_summary, search_calls'
const messageOf = (told: Promise<unknown>) =>
  told.then(
    () => 'answered',
    (error: unknown) => (error as Error).message,
  )
const nameOf = ({ method, url }: Operation) => `${method} ${url}`
const forKeys = operations.filter(({ access }) => namesProject(access) && access !== 'administrator')
const untouched = new Proxy({} as Received, { get: () => expect.unreachable() })

let service: Asking
beforeAll(async () => {
  service = await asking('UTC')
  await service.import(
    'p',
    Array.from({ length: 4 }, (_, n) => canaryCall(n)),
  )
})
afterAll(() => service.close())

describe('a key that names its tools', () => {
  test('is answered these, is told what it hears, and is refused every other question', async () => {
    const all = [...questions, ...(Object.values(restQuestions) as unknown as readonly Question[])]
    const told = await Promise.all(
      all.map(async one => {
        const args = toolRows[one.name]?.asks[0] ?? {}
        return [one.name, await messageOf(service.answering.answer(one, bounded, args, context))]
      }),
    )
    const open = new Set([...TOOLS, 'explain_my_scope'])
    expect(told).toEqual(all.map(({ name }) => [name, open.has(name) ? 'answered' : ONLY]))
  })

  test('is refused every resource and prompt, and nothing is completed', async () => {
    const told = [
      ...resources.map(one =>
        messageOf(service.answering.read(one, bounded, resourceRows[one.uriTemplate]?.asks[0] ?? {}, context)),
      ),
      ...prompts.map(one =>
        messageOf(service.answering.write(one, bounded, promptRows[one.name]?.asks[0] ?? {}, context)),
      ),
    ]
    expect(new Set(await Promise.all(told))).toEqual(new Set([ONLY]))
    const transcript = resources.find(({ uriTemplate }) => uriTemplate.endsWith('transcript'))!
    const typed = { name: 'session_id', value: 'call' }
    expect((await service.answering.complete(transcript, bounded, typed, context)).values).toEqual([])
    expect((await service.answering.complete(transcript, caller(), typed, context)).values).not.toEqual([])
  })

  test('is listed these alone', () => {
    const listed = new ToolRegistry(questions).listFor(bounded)
    expect(listed.map(({ name }) => name).toSorted()).toEqual(TOOLS)
  })

  test('is refused every route that is none of them, before anything is looked at', async () => {
    const open = await Promise.all(
      forKeys.map(async one =>
        (await messageOf(runOperation(one, servicesOf({}), untouched, bounded))) === ONLY ? [] : [nameOf(one)],
      ),
    )
    const own = [toolOperations.get_project_summary, toolOperations.search_calls]
    expect(open.flat().toSorted()).toEqual([...own.map(nameOf), 'GET /api/v1/scope'].toSorted())
  })
})

test('a key that may change nothing asks every question, and every route that changes something is refused', async () => {
  const reader = caller({ read_only: true, roles: ['Admin'] })
  const refused = await Promise.all(
    forKeys.map(async one => {
      const told = await messageOf(runOperation(one, servicesOf({}), untouched, reader))
      return told === 'This key may ask, and change nothing' ? [one] : []
    }),
  )
  const changing = forKeys.filter(one => one.method !== 'GET' && !questionOperations.includes(one))
  expect(refused.flat().map(nameOf)).toEqual(changing.map(nameOf))
  expect(changing.map(nameOf)).toEqual(
    expect.arrayContaining(['POST /api/v1/interactions', 'DELETE /api/v1/interactions/:interaction_id']),
  )
})

describe('an auditor', () => {
  // Whatever else the key has.
  const auditor = caller({ roles: ['Auditor', 'Admin'] })
  const NO_CALLS = 'A key with the role Auditor reads the audit trail and catalogs, and no calls'

  test('reads who asked what, the catalogs and its own key, and is refused every other question, resource and prompt', async () => {
    const all = [...questions, ...(Object.values(restQuestions) as unknown as readonly Question[])]
    const told = await Promise.all(
      all.map(async one => {
        const args = toolRows[one.name]?.asks[0] ?? {}
        return [one.name, await messageOf(service.answering.answer(one, auditor, args, context))]
      }),
    )
    const open = new Set(['query_user_activity', 'get_signals', 'search_guidance', 'explain_my_scope'])
    expect(told).toEqual(all.map(({ name }) => [name, open.has(name) ? 'answered' : NO_CALLS]))
    const others = [
      ...resources.map(one =>
        service.answering.read(one, auditor, resourceRows[one.uriTemplate]?.asks[0] ?? {}, context),
      ),
      ...prompts.map(one => service.answering.write(one, auditor, promptRows[one.name]?.asks[0] ?? {}, context)),
    ]
    expect(new Set(await Promise.all(others.map(messageOf)))).toEqual(new Set([NO_CALLS]))
    expect(await service.ask(explainMyScope, {}, auditor)).toMatchObject({ hears: 'nothing', calls: 0, agents: [] })
    // Without the role Admin too.
    const alone = caller({ roles: ['Auditor'] })
    expect(
      await messageOf(service.answering.answer(queryUserActivity, alone, { query_type: 'summary' }, context)),
    ).toBe('answered')
  })

  test('is refused every route that is none of these, before anything is looked at', async () => {
    const open = await Promise.all(
      forKeys.map(async one =>
        (await messageOf(runOperation(one, servicesOf({}), untouched, auditor))) === NO_CALLS ? [] : [nameOf(one)],
      ),
    )
    const own = ['GET /api/v1/activity', 'GET /api/v1/guidance', 'GET /api/v1/scope', 'GET /api/v1/signals']
    expect(open.flat().toSorted()).toEqual(own)
  })
})
