import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

const signals = [
  { key: 'sig.greeting_given', state: 'present' },
  { key: 'sig.empathy_shown', state: 'absent' },
  { key: 'sig.dead_air', state: 'unclear' },
]
const turns = [{ turn: 0, actor: 'customer', text: 'CANARY-WORDS' }]
const callOf = (session_id: string, agent_name: string) => ({
  session_id,
  agent_name,
  created_dt: '2026-03-01T10:00:00.000Z',
  score: 2,
  signals,
  transcript: turns,
  evaluation: { evaluator: 'elsewhere' },
})

let api: Awaited<ReturnType<typeof startCallsApi>>
let lead: string
let second: string
let ana: string
beforeAll(async () => {
  api = await startCallsApi()
  const readOnly = { roles: [], is_supervisor: false }
  ;[lead, second, ana] = [await api.mint(), await api.mint(), await api.mint({ allowed_agents: ['Ana'], ...readOnly })]
  const calls = ['a1', 'a2', 'a3', 'a4'].map(id => callOf(id, 'Ana')).concat(callOf('b1', 'Bo'))
  await api.call('POST', '/api/v1/interactions', { as: lead, body: calls })
})
afterAll(() => api.close())

const say = (as: string, id: string, body: object) =>
  api.call('POST', `/api/v1/interactions/${id}/feedback`, { as, body })
const onSignal = (signal_key: string, verdict: string, more: object = {}) => ({
  about: 'signal',
  signal_key,
  verdict,
  ...more,
})
const verdicts = async (as: string) => (await api.call('GET', '/api/v1/verdicts', { as })).json

describe('what is said of a call', () => {
  test('may be on its score, a signal, a turn, or what was said, each with what was judged', async () => {
    const score = await say(ana, 'a1', { about: 'score', verdict: 'dispute', rating: 4, text: 'I did all I could' })
    expect(score.json).toMatchObject({ about: 'score', verdict: 'dispute', score: 2, rating: 4 })
    const signal = await say(ana, 'a1', onSignal('sig.greeting_given', 'agree'))
    expect(signal.json).toMatchObject({ about: 'signal', signal_key: 'sig.greeting_given', state: 'present' })
    const turn = await say(ana, 'a1', { about: 'turn', turn: 0, text: 'Here it went wrong' })
    expect(turn.json).toMatchObject({ about: 'turn', turn: 0 })
    const answer = await say(lead, 'a1', {
      about: 'feedback',
      answers: score.json.feedback_id,
      verdict: 'agree',
      text: 'True, and mended',
    })
    expect(answer.json).toMatchObject({ about: 'feedback', answers: score.json.feedback_id, verdict: 'agree' })
    const detail = (await api.call('GET', '/api/v1/calls/a1', { as: ana })).json
    expect(detail.feedback.map((one: { about: string }) => one.about)).toEqual(['score', 'signal', 'turn', 'feedback'])
    // One a key and subject.
    await say(ana, 'a1', { about: 'score', verdict: 'agree' })
    const all = (await api.call('GET', '/api/v1/interactions/a1/feedback', { as: lead })).json.feedback
    const scores = all.filter((one: { about: string }) => one.about === 'score')
    expect(scores).toMatchObject([{ verdict: 'agree', feedback_id: score.json.feedback_id }])
    expect(scores[0]).not.toHaveProperty('rating')
  })

  test.each([
    [{ about: 'score' }, 'Field "verdict" is needed about the score'],
    [{ about: 'score', verdict: 'agree', turn: 1 }, 'Field "turn" is not taken about the score: leave it out'],
    [{ about: 'signal', verdict: 'agree' }, 'Field "signal_key" is needed about a signal'],
    [onSignal('sig.nothing', 'agree'), 'signal_key is no signal of the call or of the project'],
    [{ about: 'turn', turn: 1, text: 'x' }, 'turn must be below 1, the turns of the call'],
    [{ about: 'turn', turn: 0, text: ' \u202e' }, 'Field "text" is needed about a turn'],
    [{ about: 'feedback', answers: `fb_${'0'.repeat(24)}`, text: 'x' }, 'is no feedback on this call'],
    [{ verdict: 'agree' }, 'Field "rating" is needed about the call'],
    [{ about: 'weather' }, 'Field "about"'],
  ])('%j is refused with a sentence', async (body, sentence) => {
    const answer = await say(lead, 'a1', body)
    expect([answer.status, answer.json.code]).toEqual([422, 'invalid_input'])
    expect(answer.json.error).toContain(sentence)
  })

  test('is answered by a supervisor alone, once, and an answer has none', async () => {
    const { feedback_id: answers } = (await say(ana, 'a2', { about: 'score', verdict: 'dispute' })).json
    const marked = await api.mint({ roles: [], is_supervisor: true })
    for (const as of [ana, marked]) {
      const refused = await say(as, 'a2', { about: 'feedback', answers, verdict: 'agree', text: 'Yes' })
      expect([refused.status, refused.json.error]).toEqual([
        403,
        'Role Supervisor, Admin or SuperAdmin required to answer what somebody said of a call',
      ])
    }
    // By role: the flag of a key grants nothing.
    const own = await api.mint({ allowed_agents: ['Ana'], roles: ['Supervisor'], is_supervisor: false })
    expect((await say(own, 'a2', { about: 'feedback', answers, text: 'I look into it' })).status).toBe(201)
    const answer = await say(lead, 'a2', { about: 'feedback', answers, verdict: 'dispute', text: 'No: it was cut off' })
    const again = await say(lead, 'a2', { about: 'feedback', answers: answer.json.feedback_id, text: 'x' })
    expect(again.status).toBe(422)
    // Of another call, as if it were not there.
    expect((await say(lead, 'a3', { about: 'feedback', answers, text: 'x' })).status).toBe(422)
  })
})

describe('verdicts', () => {
  test('tell how often a signal is right by people’s word, those rejected and split left out', async () => {
    await say(lead, 'a2', onSignal('sig.greeting_given', 'agree'))
    await say(lead, 'a3', onSignal('sig.greeting_given', 'dispute', { text: 'It is an answering machine' }))
    await say(lead, 'a3', onSignal('sig.empathy_shown', 'dispute'))
    await say(lead, 'a3', onSignal('sig.dead_air', 'agree'))
    await say(lead, 'a4', onSignal('sig.greeting_given', 'agree'))
    await say(second, 'a4', onSignal('sig.greeting_given', 'dispute'))
    await say(lead, 'b1', onSignal('sig.greeting_given', 'agree'))
    const { json } = await say(ana, 'a2', onSignal('sig.empathy_shown', 'dispute'))
    await say(lead, 'a2', { about: 'feedback', answers: json.feedback_id, verdict: 'dispute', text: 'No' })
    const said = await verdicts(lead)
    expect(said.signals).toEqual([
      {
        signal_key: 'sig.greeting_given',
        display_name: 'Greeting given',
        calls: 4,
        found_right: 3,
        found_wrong: 1,
        missed: 0,
        precision: 0.75,
        precision_interval_95: [expect.closeTo(0.3006, 4), expect.closeTo(0.9544, 4)],
      },
      {
        signal_key: 'sig.empathy_shown',
        display_name: expect.any(String),
        calls: 1,
        found_right: 0,
        found_wrong: 0,
        missed: 1,
      },
    ])
    expect(said.scores).toEqual({ agreed: 1, disputed: 0 })
    expect(said.disputes.map((one: { session_id: string }) => one.session_id)).toEqual(['a4', 'a3', 'a3'])
  })

  test('are of calls in scope alone, and without words for a key that sees none', async () => {
    const own = await verdicts(ana)
    expect(own.signals[0]).toMatchObject({ signal_key: 'sig.greeting_given', calls: 3 })
    const bo = await api.mint({ allowed_agents: ['Bo'] })
    expect(await verdicts(bo)).toMatchObject({ signals: [{ calls: 1 }], disputes: [], disputes_total: 0 })
    const blind = await api.mint({ text: 'none' })
    const silent = await api.call('GET', '/api/v1/verdicts', { as: blind })
    expect(silent.json.disputes).toHaveLength(3)
    expect(silent.text).not.toContain('answering machine')
    const detail = await api.call('GET', '/api/v1/calls/a1', { as: blind })
    expect(detail.json.feedback).toHaveLength(4)
    expect(detail.text).not.toContain('went wrong')
  })

  test('hold a rubric to account that is tried', async () => {
    const as = await adminToken()
    const { text } = (await api.call('GET', '/api/v1/rubric', { as })).json
    const trial = (await api.call('POST', '/api/v1/rubric/try', { as, body: { text, sample: 1 } })).json
    // The rules hear no greeting in these calls: what was right there is not any more, and what was wrong is.
    expect(trial.labels).toEqual({
      judged: 5,
      right_before: 3,
      right_now: 1,
      signals: [
        { signal_key: 'sig.greeting_given', judged: 4, right_before: 3, right_now: 1, precision_before: 0.75 },
        { signal_key: 'sig.empathy_shown', judged: 1, right_before: 0, right_now: 0 },
      ],
      worse: ['a1', 'a2', 'b1'].map(session_id => ({
        session_id,
        signal_key: 'sig.greeting_given',
        should_be: 'present',
      })),
    })
  })

  test('go with their call', async () => {
    const as = await adminToken()
    expect((await api.call('DELETE', '/api/v1/interactions/a3', { as })).status).toBe(204)
    expect((await verdicts(lead)).disputes.map((one: { session_id: string }) => one.session_id)).toEqual(['a4'])
  })
})

describe('the newest verdicts of a key', () => {
  const MOST = 5_000
  let crowded: typeof api
  beforeAll(async () => {
    crowded = await startCallsApi({
      seed: async ({ calls, events }) => {
        const of = (session_id: string, agent_name: string) => {
          const agent_id = agent_name.toLowerCase()
          return {
            session_id,
            agent_id,
            agent_name,
            json: JSON.stringify({ ...callOf(session_id, agent_name), agent_id }),
          }
        }
        await calls.upsert('p1', [of('a', 'Ana'), of('b', 'Bo')])
        const said = (session_id: string, n: number) => ({
          session_id,
          feedback_id: `f${String(n).padStart(4, '0')}`,
          about: 'score' as const,
          verdict: 'dispute' as const,
          created_at: new Date(Date.parse('2026-03-02T00:00:00Z') + n).toISOString(),
          created_by: 'Ann',
        })
        const newer = Array.from({ length: MOST + 1 }, (_, n) => said('b', n + 1))
        await events.feedback.restore('p1', [said('a', 0), ...newer])
      },
    })
    return () => crowded.close()
  })
  const told = async (key: object) => {
    const as = await crowded.mint(key)
    const { scores, disputes, disputes_total: total } = (await crowded.call('GET', '/api/v1/verdicts', { as })).json
    return { disputed: scores.disputed, total, newest: disputes[0]?.feedback_id }
  }

  test('are of the calls it hears, whatever was said of others since', async () => {
    expect(await told({ allowed_agents: ['Ana'] })).toEqual({ disputed: 1, total: 1, newest: 'f0000' })
    for (const key of [{ allowed_agents: ['Bo'] }, { allowed_agents: ['Ana', 'Bo'] }, {}])
      expect(await told(key)).toEqual({ disputed: MOST, total: MOST, newest: `f${MOST + 1}` })
  })
})
