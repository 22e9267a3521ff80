import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectionOptions } from '../../../src/cli/questions/connection.js'
import { givenFields, schemaOptions } from '../../../src/cli/questions/schema-options.js'
import { globalOptions } from '../../../src/cli/global-options.js'
import { toolOperations } from '../../../src/operations/ask-questions.js'

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
      choices: ['a', 'b'],
      description: 'Kinds; may be repeated',
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
