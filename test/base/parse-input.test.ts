import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput } from '../../src/base/parse-input.js'
import { Problem } from '../../src/base/problem.js'

const schema = z.strictObject({
  limit: z.int().min(1).max(50).default(10),
  sort: z.enum(['date_desc', 'score_desc']).optional(),
  text: z.string().min(1).max(20).optional(),
  min_score: z.number().min(1).optional(),
  flag: z.boolean().optional(),
  agents: z.array(z.string()).max(2).optional(),
  date: z.iso.date().optional(),
  zone: z
    .string()
    .refine(zone => zone === 'UTC', 'must name a time zone')
    .optional(),
  session_id: z.union([z.string(), z.number()]).optional(),
  kind: z.union([z.literal('a'), z.strictObject({ name: z.string() })]).optional(),
  inner: z.strictObject({ name: z.string() }).optional(),
})

function problemOf(value: unknown): Problem {
  try {
    parseInput(schema, value, 'argument')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('parseInput', () => {
  it('returns the value as the schema gives it back', () => {
    expect(parseInput(schema, { text: 'refund' }, 'argument')).toEqual({ limit: 10, text: 'refund' })
  })

  const sentences: readonly (readonly [unknown, string])[] = [
    [{ limit: 0 }, 'Argument "limit" must be between 1 and 50, not 0'],
    [{ limit: 51 }, 'Argument "limit" must be between 1 and 50, not 51'],
    [{ limit: 2 ** 60 }, 'Argument "limit" must be between 1 and 50, not 1152921504606847000'],
    [{ limit: 1.5 }, 'Argument "limit" must be a whole number, not 1.5'],
    [{ limit: '5' }, 'Argument "limit" must be a number, not "5"'],
    [{ limit: null }, 'Argument "limit" must be a number, not null'],
    [{ min_score: 0 }, 'Argument "min_score" must be at least 1, not 0'],
    [{ flag: 'yes' }, 'Argument "flag" must be true or false, not "yes"'],
    [{ text: '' }, 'Argument "text" must not be empty'],
    [{ text: 'x'.repeat(10_000_000) }, 'Argument "text" must have at most 20 characters, not 10000000'],
    [{ text: { $ne: '' } }, 'Argument "text" must be text, not an object'],
    [{ agents: ['a', 'b', 'c'] }, 'Argument "agents" must have at most 2 entries, not 3'],
    [{ agents: ['a', 7] }, 'Argument "agents.1" must be text, not 7'],
    [{ date: '1 March' }, 'Argument "date" must be a date such as 2026-03-01, not "1 March"'],
    [{ zone: 'Mars' }, 'Argument "zone" must name a time zone'],
    [{ session_id: true }, 'Argument "session_id" must be text or a number, not true'],
    [{ kind: { name: 1 } }, 'Argument "kind.name" must be text, not 1'],
    [{ kind: 5 }, 'Argument "kind" must be one of "a" or an object, not 5'],
    [{ inner: {} }, 'Argument "inner.name" is required (text)'],
    [
      { sort: 'date_dsc' },
      'Argument "sort" must be one of "date_desc", "score_desc", not "date_dsc" (did you mean "date_desc"?)',
    ],
    // The opposite is not what was meant.
    [{ sort: 'score_asc' }, 'Argument "sort" must be one of "date_desc", "score_desc", not "score_asc"'],
    [{ inner: { name: 'x', nam: 1 } }, 'Unknown argument "nam" in "inner", did you mean "name"? (accepted: "name")'],
    [5, 'The input must be an object, not 5'],
    [[1], 'The input must be an object, not a list of 1'],
    [null, 'The input must be an object, not null'],
  ]
  it.each(sentences.map(([value, sentence]) => ({ value, sentence })))('$sentence', ({ value, sentence }) => {
    const problem = problemOf(value)
    expect(problem.code).toBe('invalid_input')
    expect(problem.message).toBe(sentence)
  })

  it('names an unknown argument, the closest accepted one and all accepted', () => {
    const problem = problemOf({ limt: 5 })
    expect(problem.message).toMatch(/^Unknown argument "limt", did you mean "limit"\? \(accepted: "limit", "sort", /)
    expect(problem.details).toEqual([{ path: 'limt', message: problem.message }])
  })

  it.each([
    ['query', 'text'],
    ['order_by', 'sort'],
    ['id', 'session_id'],
    ['Page_Size', 'limit'],
  ])('knows what "%s" is called here, however unlike: "%s"', (written, name) => {
    expect(problemOf({ [written]: 1 }).message).toContain(`"${written}", did you mean "${name}"?`)
  })

  it('lists the accepted names once, however many unknown ones were written', () => {
    expect(problemOf({ foo: 1, bar: 2 }).message.match(/accepted:/g)).toHaveLength(1)
  })

  it('refuses names of the prototype like any unknown one', () => {
    const problem = problemOf(JSON.parse('{"__proto__": {"limit": 5}, "constructor": 1}'))
    expect(problem.details.map(({ path }) => path)).toEqual(['__proto__', 'constructor'])
  })

  it('tells the faults of nested objects with equal unknown keys apart', () => {
    const pair = z.strictObject({
      a: z.strictObject({ one: z.int().optional() }),
      b: z.strictObject({ two: z.int().optional() }),
    })
    expect(() => parseInput(pair, { a: { x: 1 }, b: { x: 1 } }, 'field')).toThrow(
      'Unknown field "x" in "a" (accepted: "one"); unknown field "x" in "b" (accepted: "two")',
    )
  })

  it('puts three faults in the sentence, twenty in the details, and counts the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`unknown_${index}`, 1]))
    const problem = problemOf({ ...many, limit: 0, flag: 1, text: '' })
    expect(problem.message).toMatch(/^Argument "limit" .*; argument "text" .*; argument "flag" .*; and 20 more$/)
    expect(problem.details).toHaveLength(20)
  })

  it('repeats hostile input escaped and cut short', () => {
    const problem = problemOf({ ['k'.repeat(500)]: 1, sort: `\u0000\ud800${'v'.repeat(500)}` })
    expect(problem.message).toContain(String.raw`\u0000`)
    expect(problem.message.isWellFormed()).toBe(true)
    expect(problem.message.length).toBeLessThan(700)
    expect(problem.details.every(({ path }) => path.length <= 200)).toBe(true)
  })
})
