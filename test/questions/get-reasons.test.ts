import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rubricOf } from '../../src/cli/questions/reasons-text.js'
import { defaultRubric, extendableRubrics } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { parseRubric } from '../../src/evaluation/rubric/parse-rubric.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { clusterReasons } from '../../src/questions/reasons/cluster-reasons.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { getReasons } from '../../src/questions/get-reasons.js'
import { aCall } from '../evaluation/a-call.js'
import { type Asking, asking, caller } from '../support/asking.js'

const rules = new RulesEvaluator(defaultRubric)
const opening = (id: string, said: string, more: readonly string[] = []) => {
  const call = aCall(['a: Acme, Ana speaking.', `c: ${said}`, 'a: I see.', ...more], {
    session_id: id,
    agent_name: 'Ana',
  })
  return { ...call, ...rules.evaluate(call, new Date(0)).fields }
}
const calls = [
  opening('k1', 'I would like to adopt a kitten from the shelter.'),
  opening('k2', 'We are adopting a little kitten, my wife and I.'),
  opening('k3', 'Can I adopt kittens with you?'),
  opening('h1', 'Where does the heron nest in spring?'),
  opening('named', 'I forgot my password.', ['c: And I want to cancel my subscription.']),
]

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', calls)
})
afterAll(() => service.close())

describe('reasons', () => {
  it('without a name are gathered by what customers say, with a phrase that finds them', async () => {
    const found = await service.ask(getReasons)
    expect(found).toMatchObject({ calls: 5, named: 1, read: 4 })
    expect(found.clusters).toEqual([
      {
        words: 'adopt kitten',
        calls: 3,
        phrase: '(adopt|adopting) [*] [*] (kitten|kittens)',
        quotes: expect.arrayContaining([
          { session_id: 'k2', said: 'We are adopting a little kitten, my wife and I.' },
        ]) as unknown,
      },
    ])
    const rubric = parseRubric(rubricOf(found), extendableRubrics)
    const again = new RulesEvaluator({ rubric, version: 'x' })
    expect(calls.slice(0, 3).map(call => again.evaluate(call, new Date(0)).fields?.interaction_driver)).toEqual(
      Array.from({ length: 3 }, () => 'adopt kitten'),
    )
  })

  it('that are given beside the first are counted', async () => {
    const { further } = await service.ask(getReasons)
    expect(further).toEqual([{ driver: 'cancellation', calls: 1 }])
  })

  it('without a name stand in the context of the project', async () => {
    const { unnamed_reasons } = await service.ask(getProjectContext)
    expect(unnamed_reasons).toEqual([{ words: 'adopt kitten', calls: 3 }])
  })

  it('are those of the calls in scope, and words are kept from a key that sees none', async () => {
    const stranger = caller({ is_supervisor: false, roles: [], allowed_agents: ['Ben'] })
    expect(await service.ask(getReasons, {}, stranger)).toMatchObject({ calls: 0, read: 0, clusters: [] })
  })
})

describe('clusters', () => {
  const of = (texts: readonly string[], least = 2) =>
    clusterReasons(
      texts.map((text, at) => ({ id: String(at), text })),
      () => new Set(['the', 'want']),
      { least, most: 5 },
    ).map(({ words, said }) => [words, said.length])

  it('take a call once, the commonest first', () => {
    expect(
      of(['open account today', 'opened an account', 'open account', 'close account', 'closing the account']),
    ).toEqual([
      ['open account', 3],
      ['close account', 2],
    ])
  })

  it('are none of what too few say, of names and numbers, or of words far apart', () => {
    expect(of(['open account', 'heron nest'])).toEqual([])
    expect(of(['a1234 b5678', 'a1234 b5678'])).toEqual([])
    expect(of(['open one two six ten account', 'open red blue grey long account'])).toEqual([])
    expect(of([])).toEqual([])
  })
})
