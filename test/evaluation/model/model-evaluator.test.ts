import { describe, expect, it } from 'vitest'
import { callRecord, type CallRecord } from '../../../src/calls/call-record.js'
import { BudgetSpent } from '../../../src/evaluation/model/model-account.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { plainAnswer, type Asked } from '../../support/model-server.js'
import { aCall } from '../a-call.js'
import { aServer, AT, evaluatorOf, goodCall, LINES, MemoryAnswers } from './support.js'

interface Answered {
  signals: { key: string; state: string; evidence: { turn: number; quote: string }[] }[]
  driver: object
  turns_that_instruct: number[]
}

/** What the server's plain model answers, but for some signals. */
function answerBut(asked: Asked, but: Record<string, [string, ...[number, string][]]>, more: object = {}): object {
  const answer = plainAnswer(asked) as Answered
  const signals = answer.signals.map(one => {
    const other = but[one.key.slice('sig.'.length)]
    if (other === undefined) return one
    const [state, ...evidence] = other
    return { key: one.key, state, evidence: evidence.map(([turn, quote]) => ({ turn, quote })) }
  })
  return { ...answer, signals, ...more }
}

async function fieldsOf(call: CallRecord, but: Parameters<typeof answerBut>[1] = {}, more: object = {}) {
  const server = await aServer(asked => ({ answer: answerBut(asked, but, more) }))
  const { fields, none } = await evaluatorOf(server).evaluate(call, AT)
  expect(none).toBeUndefined()
  const state = (name: string) => fields!.signals?.find(({ key }) => key === `sig.${name}`)
  return { fields: fields!, state, server }
}

describe('an evaluation by a model', () => {
  it('fills the fields the rules fill, and is a valid record', async () => {
    const { fields, state } = await fieldsOf(goodCall())
    expect(callRecord.safeParse({ ...goodCall(), ...fields }).error).toBeUndefined()
    expect(fields.evaluation).toEqual({
      evaluator: 'model',
      rubric: 'support-calls',
      rubric_version: '1',
      evaluated_at: AT.toISOString(),
    })
    expect(state('greeting_given')).toEqual({
      key: 'sig.greeting_given',
      state: 'present',
      strength: 0.5,
      evidence: [{ turn: 0, quote: LINES[0]!.slice(3) }],
    })
    expect(fields.interaction_driver).toBe('reset password')
    expect(fields.conditions).toContainEqual({
      key: 'model',
      text: expect.stringMatching(/^test-model, prompt [0-9a-f]{12}$/) as unknown,
    })
    expect(fields.conditions).toContainEqual({ key: 'sig.greeting_given', turn: 0, text: 'Thank you for calling' })
    expect(fields.coaching_summary).toContain('(turn 2: "Sure, happy to help with that.')
    expect(fields.talk_patterns?.talk_time_ratio).toBeGreaterThan(0)
  })

  it('scores signals as the rules do: the same states give the same score, coaching and prediction', async () => {
    const call = goodCall()
    const { fields: rules } = new RulesEvaluator({ ...defaultRubric, version: '1' }).evaluate(call, AT)
    const states = new Map(rules!.signals!.map(({ key, state, evidence }) => [key, { state, evidence }]))
    const server = await aServer(asked => {
      const { signals, ...rest } = plainAnswer(asked) as Answered
      const same = signals.map(({ key }) => {
        const { state = 'not_applicable', evidence = [] } = states.get(key) ?? {}
        return { key, state, evidence: evidence.map(({ turn, quote }) => ({ turn, quote })) }
      })
      return { answer: { ...rest, signals: same } }
    })
    const { fields } = await evaluatorOf(server).evaluate(call, AT)
    const pick = ({
      score,
      scores,
      dimensions,
      guidance,
      predicted_csat,
      talk_patterns,
      interaction_driver,
    }: CallRecord) => ({
      score,
      scores,
      dimensions,
      guidance: guidance?.map(({ key }) => key),
      predicted_csat,
      talk_patterns,
      interaction_driver,
    })
    expect(pick({ ...call, ...fields })).toEqual(pick({ ...call, ...rules }))
    expect(fields!.signals!.map(({ key, state }) => [key, state])).toEqual(
      rules!.signals!.map(({ key, state }) => [key, state]),
    )
  })

  it('caps the score by what the model found', async () => {
    const call = aCall([...LINES, 'a: You idiot.'])
    const { fields, state } = await fieldsOf(call)
    expect(state('agent_rude')?.state).toBe('present')
    expect(fields.score).toBe(1)
  })

  it.each([
    ['is in no turn', 'present', 2, 'I have reset it', 'unclear'],
    ['is in another turn', 'present', 0, 'Sure, happy to help', 'unclear'],
    ['is in a turn that does not exist', 'present', 99, 'Sure', 'unclear'],
    ['is of the other side', 'present', 3, 'Great', 'unclear'],
    ['is nothing', 'present', 2, ' ', 'unclear'],
    ['is no word', 'present', 2, ',', 'unclear'],
    ['is half a word', 'present', 2, 'Sur', 'unclear'],
    ['is in other letters', 'present', 2, 'sure', 'present'],
    ['leaves something out', 'present', 2, 'Sure … to help', 'present'],
    ['is there', 'present', 2, 'Sure, happy to help', 'present'],
    ['is there, but for its white space', 'present', 2, ' Sure,\n happy  to help ', 'present'],
  ] as const)('%s: a quote that counts so', async (_, said, turn, quote, state) => {
    const { fields, state: of } = await fieldsOf(goodCall(), { willingness_shown: [said, [turn, quote]] })
    expect(of('willingness_shown')?.state).toBe(state)
    const dropped = fields.trust?.reasons?.some(reason =>
      reason.includes("the model's quotes for them are not in the transcript"),
    )
    expect(dropped).toBe(state === 'unclear')
  })

  it('takes absent without a quote, and unclear; and drops "does not apply" where that can’t be', async () => {
    const { state } = await fieldsOf(goodCall(), {
      greeting_given: ['not_applicable'],
      agent_named: ['unclear'],
      empathy_shown: ['not_applicable'],
      resolution_stated: ['absent'],
    })
    expect(state('brand_named')?.state).toBe('absent')
    expect(state('greeting_given')?.state).toBe('unclear')
    expect(state('agent_named')?.state).toBe('unclear')
    expect(state('empathy_shown')).toBeUndefined()
    // The rubric wants to hear a refusal.
    expect(state('resolution_stated')?.state).toBe('unclear')
  })

  it('counts what was not answered, answered in two ways, or is not of the schema, as unclear', async () => {
    const { state, fields } = await fieldsOf(
      goodCall(),
      {},
      {
        signals: [
          { key: 'sig.greeting_given', state: 'present', evidence: [{ turn: 0, quote: 'Thank you for calling' }] },
          { key: 'sig.agent_rude', state: 'present', evidence: [] },
          { key: 'sig.agent_rude', state: 'absent', evidence: [] },
          { key: 'sig.invented', state: 'present', evidence: [{ turn: 0, quote: 'Thank you' }] },
          { key: 'sig.agent_named', state: 'very', evidence: 'none' },
          'nonsense',
        ],
        driver: 7,
        score: 5,
      },
    )
    expect(state('greeting_given')?.state).toBe('present')
    expect(state('agent_rude')?.state).toBe('unclear')
    expect(state('agent_named')?.state).toBe('unclear')
    expect(state('invented')).toBeUndefined()
    expect(fields.interaction_driver).toBeUndefined()
    expect(fields.score).toBeLessThan(5)
    expect(fields.trust?.reasons).toContainEqual(expect.stringContaining('the model did not answer for them'))
  })

  it('finds the driver in the table and in the customer’s first turns only, and keeps the one a record brings', async () => {
    const quoted = (name: string, turn: number, quote: string) => ({ driver: { name, evidence: [{ turn, quote }] } })
    expect(
      (await fieldsOf(goodCall(), {}, quoted('world peace', 1, 'password'))).fields.interaction_driver,
    ).toBeUndefined()
    expect(
      (await fieldsOf(goodCall(), {}, quoted('pay bill', 2, 'password'))).fields.interaction_driver,
    ).toBeUndefined()
    expect((await fieldsOf(goodCall(), {}, quoted('pay bill', 1, 'password'))).fields.interaction_driver).toBe(
      'pay bill',
    )
    const brought = { ...goodCall(), interaction_driver: 'my own' }
    expect((await fieldsOf(brought)).fields.interaction_driver).toBe('my own')
  })

  it('reads a language the rubric doesn’t, and says so', async () => {
    const call = aCall(
      [
        'a: Guten Tag, hier ist die Hafenbank, was kann ich für Sie tun?',
        'c: Ich habe mein Passwort vergessen',
        'a: Das ist erledigt.',
      ],
      { language_primary: 'de' },
    )
    const { fields, state } = await fieldsOf(call, { greeting_given: ['present', [0, 'Guten Tag']] })
    expect(state('greeting_given')?.state).toBe('present')
    expect(fields.score).toBeGreaterThan(0)
    expect(fields.trust?.reasons?.[0]).toContain('another language (de)')
  })

  it.each([
    ['no transcript', { transcript: undefined }, 'The call has no transcript'],
    ['only noise', aCall(['a: [noise]', 'c: <unk>']), /Nothing the agent or the customer said/],
  ])('says why there is none for %s, and asks for nothing', async (_, fields, why) => {
    const server = await aServer()
    const { none } = await evaluatorOf(server).evaluate({ ...goodCall(), ...fields }, AT)
    expect(none).toMatch(why)
    expect(server.asked).toHaveLength(0)
  })

  it('leaves calls alone that are too long', async () => {
    const server = await aServer()
    const { none } = await evaluatorOf(server, { maxCharacters: 1_000 }).evaluate(
      aCall([`a: ${'la '.repeat(500)}`]),
      AT,
    )
    expect(none).toContain('more than 1000 characters (EARSHOT_MODEL_MAX_CHARACTERS)')
    expect(server.asked).toHaveLength(0)
  })

  it.each([
    ['an answer cut off', { cut: '{"signals": [' }, 1, 'cut off at 2000 tokens (EARSHOT_MODEL_MAX_OUTPUT_TOKENS)'],
    ['a refusal', { declined: 'No.' }, 1, 'The model declined to answer'],
    ['prose, twice', { text: 'It was a nice call.' }, 2, 'The model’s answer can’t be read'],
    ['half of an answer', { text: '{"signals": [{"key": ' }, 2, 'The model’s answer can’t be read'],
    ['another object', { text: '{"score": 5}' }, 2, 'The model’s answer can’t be read'],
  ])('gives no evaluation for %s', async (_, reply, asked, why) => {
    const server = await aServer(() => reply)
    const answers = new MemoryAnswers()
    await expect(evaluatorOf(server, { answers }).evaluate(goodCall(), AT)).rejects.toThrow(why)
    expect(server.asked).toHaveLength(asked)
    expect(answers.kept.size).toBe(0)
  })

  it('reads an answer within a code fence', async () => {
    const server = await aServer(asked => ({
      text: `Here it is:\n\`\`\`json\n${JSON.stringify(plainAnswer(asked))}\n\`\`\``,
    }))
    expect((await evaluatorOf(server).evaluate(goodCall(), AT)).fields?.score).toBeGreaterThan(1)
  })
})

describe('what is sent', () => {
  it('is the transcript as data, the names the signals need, and nothing else of the record', async () => {
    const call = aCall(LINES, {
      session_id: 'call-4711',
      title: 'A Secret Title',
      customer_display_name: 'Mrs Secret',
      session_metadata: { company_name: 'Harbor Bank', account: 'DE-SECRET' },
    })
    const { server } = await fieldsOf(call)
    const sent = JSON.stringify(server.asked[0]!.body)
    expect(server.asked[0]!.turns.map(({ text }) => text)).toEqual(LINES.map(line => line.slice(3)))
    expect(sent).toContain('Harbor Bank')
    expect(sent).not.toMatch(/Secret|SECRET|4711|start_s/)
  })

  it('asks for the rubric’s signals that are said, not for those the clock decides', async () => {
    const { server } = await fieldsOf(goodCall())
    const { system } = server.asked[0]!
    expect(system).toContain(
      "- sig.greeting_given (Greeting given): The agent greets in one of the agent's first three turns.",
    )
    expect(system).toContain('- reset password: cannot get into an account')
    // For endpoints that can't be held to a schema.
    expect(system).toContain('{"signals": [{"key": ')
    expect(system).not.toContain('sig.dead_air')
    expect(system).not.toContain('sig.reason_captured')
  })
})

describe('answers that are kept', () => {
  it('are asked for once, until something of the question changes', async () => {
    const server = await aServer()
    const answers = new MemoryAnswers()
    const one = evaluatorOf(server, { answers })
    const first = await one.evaluate(goodCall(), AT)
    expect(await one.evaluate({ ...goodCall(), title: 'Another' }, AT)).toEqual(first)
    expect(one.counts.cached).toBe(1)
    expect(server.asked).toHaveLength(1)
    await one.evaluate(aCall([...LINES, 'c: Bye.']), AT)
    await evaluatorOf(server, { answers, name: 'other-model' }).evaluate(goodCall(), AT)
    const { rubric } = defaultRubric
    const signals = rubric.signals.map((signal, at) =>
      at === 0 ? { ...signal, description: 'The agent says hello.' } : signal,
    )
    await evaluatorOf(server, { answers, rubric: { ...rubric, signals } }).evaluate(goodCall(), AT)
    expect(server.asked).toHaveLength(4)
    // Weights are no part of the question.
    const heavier = rubric.signals.map((signal, at) => (at === 0 ? { ...signal, weight: 50 } : signal))
    await evaluatorOf(server, { answers, rubric: { ...rubric, signals: heavier } }).evaluate(goodCall(), AT)
    expect(server.asked).toHaveLength(4)
  })

  it('hold nothing that was said', async () => {
    const server = await aServer()
    const answers = new MemoryAnswers()
    await evaluatorOf(server, { answers }).evaluate(goodCall(), AT)
    const kept = [...answers.kept.values()].join(' ').toLowerCase()
    expect(kept).toContain('"state":"present"')
    for (const word of ['thank you', 'calling', 'harbor', 'happy', 'email']) expect(kept).not.toContain(word)
  })

  it('are asked for again where they can’t be read any more', async () => {
    const server = await aServer()
    const answers = new MemoryAnswers()
    const one = evaluatorOf(server, { answers })
    await one.evaluate(goodCall(), AT)
    for (const key of answers.kept.keys()) answers.kept.set(key, '{"of":"another version"}')
    await one.evaluate(goodCall(), AT)
    expect(server.asked).toHaveLength(2)
  })
})

describe('a budget', () => {
  it('of money is never gone beyond, by what a request can cost at most', async () => {
    const server = await aServer()
    // An answer may have 2,000 tokens out, at 10 a million, and some thousands in, at 1 a million.
    await expect(evaluatorOf(server, { budget: { cost: 0.02 } }).evaluate(goodCall(), AT)).rejects.toThrow(BudgetSpent)
    expect(server.asked).toHaveLength(0)
    await evaluatorOf(server, { budget: { cost: 0.03 } }).evaluate(goodCall(), AT)
    expect(server.asked).toHaveLength(1)
  })
})
