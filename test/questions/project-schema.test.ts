import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callFields } from '../../src/calls/call-fields.js'
import { projectSchema } from '../../src/questions/resources/project-schema.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    ...Array.from({ length: 40 }, (_, n) =>
      call(`c${n}`, {
        channel: n % 4 === 0 ? 'chat' : 'phone',
        interaction_driver: `driver ${n}`,
        title: 'the same',
        signals: [{ key: 'sig.calm', state: 'present' }],
        session_metadata: { queue: n < 10 ? 'north' : 'south', order: `o-${n}`, vip: n === 0 },
      }),
    ),
    call('c90', { agent_name: 'Ben', channel: 'sms', session_metadata: { secret_queue: 'cellar' } }),
  ])
  await service.import('other', [call('c91', { agent_name: 'Zoe', channel: 'email' })])
})
afterAll(() => service.close())

const read = async (changes: object = {}, project_id = 'p') =>
  (await service.answering.read(projectSchema, caller(changes), { project_id }, { requestId: 'r' })) as {
    fields: { field: string; observed?: { value: unknown; count: number }[] }[]
    count: number
  }

const fieldOf = async (name: string, changes: object = {}) =>
  (await read(changes)).fields.find(({ field }) => field === name)

describe('the schema', () => {
  test('has every field of the record with its type and meaning', async () => {
    const { fields, count } = await read()
    const names = fields.map(({ field }) => field)
    expect(count).toBe(fields.length)
    expect(names.filter(name => !name.includes('.'))).toEqual(callFields.map(({ name }) => name))
    expect(fields.find(({ field }) => field === 'signals.state')).toEqual({
      field: 'signals.state',
      type: 'string',
      values: ['present', 'absent', 'unclear'],
      meaning: 'Whether the call shows the signal.',
      required: true,
      observed: [{ value: 'present', count: 40 }],
    })
    expect(fields.find(({ field }) => field === 'created_dt')).toMatchObject({ type: 'date', required: true })
  })

  test('shows the values that occur where they are few', async () => {
    expect((await fieldOf('channel'))?.observed).toEqual([
      { value: 'phone', count: 30 },
      { value: 'chat', count: 10 },
      { value: 'sms', count: 1 },
    ])
    expect((await fieldOf('signals.key'))?.observed).toEqual([{ value: 'sig.calm', count: 40 }])
    expect(await fieldOf('interaction_driver')).not.toHaveProperty('observed')
    expect(await fieldOf('title')).not.toHaveProperty('observed')
  })

  test('finds the fields of session_metadata that the user made', async () => {
    expect((await fieldOf('session_metadata.queue'))?.observed).toEqual([
      { value: 'south', count: 30 },
      { value: 'north', count: 10 },
    ])
    expect((await fieldOf('session_metadata.vip'))?.observed).toEqual([
      { value: false, count: 39 },
      { value: true, count: 1 },
    ])
    expect(await fieldOf('session_metadata.order')).toBeDefined()
    expect(await fieldOf('session_metadata.order')).not.toHaveProperty('observed')
  })

  test('knows nothing of calls out of scope', async () => {
    expect((await fieldOf('channel', { allowed_agents: ['Ana'] }))?.observed).toHaveLength(2)
    expect(JSON.stringify(await read({ allowed_agents: ['Ana'] }))).not.toMatch(/Ben|sms"}|cellar|secret_queue|Zoe/)
    expect(JSON.stringify(await read({ require_mapping: true }))).not.toMatch(/"observed"|queue/)
  })

  test.each(['other', 'nowhere', ''])('of another project (%j) is not found', async project_id => {
    await expect(read({}, project_id)).rejects.toThrow(/^Resource not found$/)
  })
})
