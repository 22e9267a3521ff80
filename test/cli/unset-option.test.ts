import { expect, test } from 'vitest'
import { z } from 'zod'
import { unsetFields, unsetOption } from '../../src/cli/unset-option.js'

const schema = z.strictObject({
  label: z.string().optional(),
  roles: z.array(z.enum(['Admin', 'Supervisor'])).optional(),
  allowed_agents: z.array(z.string()).optional(),
  networks: z.array(z.string()).min(1).optional(),
  most_calls: z.int().max(9).nullable().optional(),
})
const spelled = { allowed_agents: 'agent' }

test('one option names those whose fields a change may take away: to null, and a list that may be empty to an empty one', () => {
  expect(unsetOption(schema, [], spelled)['unset']).toMatchObject({ array: true, choices: ['agent', 'most-calls'] })
  expect(unsetFields(schema, { unset: ['agent', 'most-calls'], label: 'x' }, spelled)).toEqual({
    allowed_agents: [],
    most_calls: null,
  })
  expect(unsetFields(schema, { label: 'x' }, spelled)).toEqual({})
})

test('there is none where nothing can be taken away', () => {
  expect(unsetOption(schema, ['allowed_agents', 'most_calls'], spelled)).toEqual({})
})

test('what is set is not taken away', () => {
  expect(() => unsetFields(schema, { 'most-calls': 3, unset: ['most-calls'] }, spelled)).toThrow(
    'Give --most-calls or --unset most-calls, not both',
  )
})
