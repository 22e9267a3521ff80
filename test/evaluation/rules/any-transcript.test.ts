import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callRecord, type CallRecord } from '../../../src/calls/call-record.js'
import { applyEvaluation } from '../../../src/evaluation/apply-evaluation.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'
import { processorMs } from '../../support/processor-time.js'

const rules = new RulesEvaluator(defaultRubric)
const AT = new Date('2026-03-02T08:00:00.000Z')

/** What is wrong with the evaluation of a call: it has to be valid, the same each time, and its quotes verbatim. */
function faultsOf(call: CallRecord): readonly string[] {
  const first = rules.evaluate(call, AT)
  const faults: string[] = []
  if (JSON.stringify(rules.evaluate(structuredClone(call), AT)) !== JSON.stringify(first)) faults.push('not the same')
  const { fields, none } = first
  if (fields === undefined) {
    if (!/^[A-Z].{10,}/.test(none)) faults.push(`no clear reason: ${none}`)
    return faults
  }
  const issues = callRecord.safeParse(applyEvaluation(call, fields)).error?.issues ?? []
  faults.push(...issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  for (const { key, evidence } of [...(fields.signals ?? []), ...(fields.guidance ?? [])]) {
    for (const { turn, quote } of evidence ?? []) {
      const said = call.transcript?.filter(one => one.turn === turn).map(({ text }) => text) ?? []
      if (!said.some(text => text.includes(quote))) faults.push(`${key} quotes what turn ${turn} does not say`)
      if (!quote.isWellFormed()) faults.push(`${key} quotes half a character`)
    }
  }
  const keys = fields.signals?.map(({ key }) => key) ?? []
  if (new Set(keys).size !== keys.length) faults.push('a signal twice')
  if (fields.score !== undefined && fields.score !== Math.round(fields.score * 10) / 10) faults.push('score not to 0.1')
  return faults
}

const actor = fc.constantFrom('agent' as const, 'customer' as const, 'system' as const)
const words = fc.constantFrom(
  'hello',
  'thank you for calling',
  'my name is',
  'I lost my card',
  '[noise]',
  '<unk>',
  'sorry',
  'one hundred and',
  'thirty five',
  '$45.20',
  'has been sent',
  'bear with me',
  '(unclosed [bracket',
  '…',
  '👩‍👩‍👧 😀',
  'שלום מה שלומך',
  '\u0000',
  "I can't",
  '你好',
  '\ud83d\ude00',
  'x'.repeat(300),
)
const text = fc.oneof(
  fc.array(words, { maxLength: 12 }).map(all => all.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
)
const seconds = fc.option(fc.double({ min: 0, max: 1e4, noNaN: true }), { nil: undefined })
const turns = fc.array(
  fc.record({ actor, text, start_s: seconds, end_s: seconds }).map(({ start_s, end_s, ...turn }) => ({
    ...turn,
    ...(start_s !== undefined && { start_s }),
    ...(end_s !== undefined && { end_s }),
  })),
  { maxLength: 25 },
)

describe('any transcript', () => {
  it('gives a valid evaluation or a clear reason for none', () => {
    fc.assert(
      fc.property(
        turns,
        fc.constantFrom(undefined, 'en-US', 'de', 'nonsense!', ''),
        fc.constantFrom(undefined, 'phone' as const, 'chat' as const),
        (said, language, channel) => {
          const transcript = said.map((one, turn) => ({ turn, ...one }))
          const fields = {
            transcript,
            ...(language !== undefined && { language_primary: language }),
            ...(channel !== undefined && { channel }),
          }
          expect(faultsOf({ ...aCall([]), ...fields })).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('of one turn', () => {
    const lines = ['a: Hello', 'c: I want to cancel my account', 's: This call is recorded', 'a:']
    expect(lines.flatMap(line => faultsOf(aCall([line])))).toEqual([])
  })

  it('of 10,000 turns', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, at) => `${at % 2 === 0 ? 'a' : 'c'}: sorry, one two three, my card`,
    )
    const call = aCall(lines)
    let signals: number | undefined
    const took = processorMs(() => (signals = rules.evaluate(call, AT).fields?.signals?.length))
    expect(signals).toBeGreaterThan(10)
    expect(took).toBeLessThan(30_000)
  })

  it('of one turn of a million characters', () => {
    const call = aCall([`a: ${'my ~ name (is [a '.repeat(60_000)}`])
    let fields: unknown
    const took = processorMs(() => ({ fields } = rules.evaluate(call, AT)))
    expect(fields).toBeDefined()
    expect(took).toBeLessThan(30_000)
  })

  it('of one speaker only leaves out what the other one would show', () => {
    const { fields } = rules.evaluate(aCall(['c: hello', 'c: I lost my card', 'c: is anybody there']), AT)
    const keys = fields?.signals?.map(({ key }) => key)
    expect(keys).not.toContain('sig.greeting_given')
    expect(keys).not.toContain('sig.agent_interrupts')
    expect(keys).toContain('sig.reason_captured')
    expect(fields?.trust?.reasons).toContain('Nothing the agent said is in the transcript')
  })

  it('with its times reversed says nothing of times', () => {
    const call = aCall(['a@50-52: hello', 'c@40-44: I lost my card', 'a@20-25: okay', 'c@10-12: thanks', 'a@1-2: bye'])
    const { fields } = rules.evaluate(call, AT)
    expect(fields?.signals?.map(({ key }) => key)).not.toContain('sig.dead_air')
    expect(fields?.talk_patterns?.talk_time_ratio).toBeUndefined()
    expect(faultsOf(call)).toEqual([])
  })
})
