import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectionOptions } from '../../src/cli/connection.js'
import { givenFields, parseOptions, schemaOptions } from '../../src/cli/schema-options.js'
import { globalOptions } from '../../src/cli/global-options.js'
import { toolOperations } from '../../src/operations/ask-questions.js'

const schema = z.strictObject({
  date_from: z.string().optional().meta({ description: 'The first day' }),
  order: z.enum(['up', 'down']).default('up').meta({ description: 'Order' }),
  min_calls: z.int().min(1).default(5).meta({ description: 'Least calls' }),
  kinds: z
    .array(z.enum(['a', 'b']))
    .optional()
    .meta({ description: 'Kinds' }),
  deep: z.boolean().default(false).meta({ description: 'Whether to look deep' }),
})

test('what a question takes is options, with nothing written', () => {
  expect(schemaOptions(schema)).toEqual({
    'date-from': { type: 'string', requiresArg: true, description: 'The first day' },
    order: {
      type: 'string',
      requiresArg: true,
      description: 'Order',
      choices: ['up', 'down'],
      defaultDescription: 'up',
    },
    'min-calls': { type: 'number', requiresArg: true, description: 'Least calls', defaultDescription: '5' },
    kinds: {
      type: 'string',
      requiresArg: true,
      array: true,
      choices: ['a', 'b', 'none'],
      coerce: expect.any(Function),
      description: 'Kinds; several with commas between',
    },
    deep: { type: 'boolean', description: 'Whether to look deep', defaultDescription: 'false' },
  })
})

test('what was not given is not sent: defaults stay the question’s', () => {
  expect(givenFields(schema, { 'min-calls': 3, minCalls: 3, kinds: ['a'], json: true })).toEqual({
    min_calls: 3,
    kinds: ['a'],
  })
  expect(() => givenFields(schema, { 'min-calls': NaN })).toThrow('--min-calls must be a number')
})

test('no question takes what every command takes', () => {
  const taken = new Set([...Object.keys(connectionOptions), ...Object.keys(globalOptions), 'csv', 'help', 'version'])
  for (const { query, body } of Object.values(toolOperations)) {
    const options = Object.keys(schemaOptions(body ?? query ?? z.strictObject({})))
    expect(options.filter(name => taken.has(name))).toEqual([])
  }
})

const fields = z.strictObject({
  allowed_agents: z.array(z.string().max(5)).default([]).meta({ description: 'Agents' }),
  roles: z
    .array(z.enum(['Admin', 'Supervisor']))
    .default(['Admin'])
    .meta({ description: 'Roles' }),
  schedule: z.strictObject({ time_zone: z.enum(['UTC']) }).optional(),
  label: z.string().min(1),
})
const spelled = { allowed_agents: 'agent', roles: 'role' }

test('an option may have another name than its field, and what must be said is required', () => {
  const options = schemaOptions(fields, ['schedule'], spelled)
  expect(Object.keys(options)).toEqual(['agent', 'role', 'label'])
  expect(options['role']).toMatchObject({ choices: ['Admin', 'Supervisor', 'none'], defaultDescription: 'Admin' })
  expect(options['agent']).not.toHaveProperty('defaultDescription')
  expect(options['label']).toMatchObject({ demandOption: true })
})

test('a list of choices may be written in one, and be none', () => {
  const coerce = schemaOptions(fields, [], spelled)['role']?.coerce as (written: readonly string[]) => unknown
  expect(coerce(['Admin, Supervisor', 'Admin'])).toEqual(['Admin', 'Supervisor', 'Admin'])
  expect(givenFields(fields, { role: ['none'] }, spelled)).toEqual({ roles: [] })
  // A name that is none of a list of names is one.
  expect(givenFields(fields, { agent: ['none'] }, spelled)).toEqual({ allowed_agents: ['none'] })
})

test('what may be null is an option like any other', () => {
  const changed = z.strictObject({ most: z.int().max(9).describe('Calls at most').nullable().optional() })
  expect(schemaOptions(changed)).toEqual({ most: { type: 'number', requiresArg: true, description: 'Calls at most' } })
})

test('a refusal calls a field as it is written', () => {
  const refusal = (given: object) => () => parseOptions(fields, given, { spelled, words: ['label'] })
  expect(refusal({ label: 'x', allowed_agents: ['ok', 'too long'] })).toThrow(/^--agent must/)
  expect(refusal({ label: '' })).toThrow(/^<label> must/)
  expect(refusal({ label: 'x', schedule: { time_zone: 'X' } })).toThrow(/^--time-zone must/)
  expect(refusal({ label: '', roles: ['King'] })).toThrow(
    /--role must be one of .*; <label> must|<label> must.*; --role must/,
  )
})
