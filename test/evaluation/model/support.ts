import { onTestFinished } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { ModelAccount, type ModelBudget } from '../../../src/evaluation/model/model-account.js'
import { CallClaims } from '../../../src/evaluation/model/call-claims.js'
import { createModelClient } from '../../../src/evaluation/model/model-client.js'
import type { ModelEndpoint } from '../../../src/evaluation/model/model-endpoint.js'
import { askingNow, ModelEvaluator } from '../../../src/evaluation/model/model-evaluator.js'
import type { EvaluatedFields, Evaluation } from '../../../src/evaluation/evaluator.js'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { readingsHere } from '../../../src/evaluation/run/model-readings.js'
import type { Rubric } from '../../../src/evaluation/rubric/rubric.js'
import type { ModelAnswerStore } from '../../../src/store/model-answer-store.js'
import { InProcessLeases } from '../../../src/store/in-process-leases.js'
import { ModelServer } from '../../support/model-server.js'
import { aCall } from '../a-call.js'

/** A server that is gone after the test. */
export async function aServer(...brain: Parameters<typeof ModelServer.start>): Promise<ModelServer> {
  const server = await ModelServer.start(...brain)
  onTestFinished(() => server.stop())
  return server
}

/** How a server is asked, unless the test says otherwise: quickly, and twice. */
export function endpoint(server: Pick<ModelServer, 'url'>, more: Partial<ModelEndpoint> = {}): ModelEndpoint {
  return {
    kind: 'openai',
    url: server.url,
    name: 'test-model',
    apiKey: 'sk-very-secret',
    temperature: 0,
    schema: true,
    maxOutputTokens: 2_000,
    timeoutMs: 10_000,
    attempts: 2,
    firstRetryMs: 1,
    ...more,
  }
}

/** What was answered, in memory. */
export class MemoryAnswers implements ModelAnswerStore {
  readonly kept = new Map<string, string>()
  get: ModelAnswerStore['get'] = async question => this.kept.get(JSON.stringify(question))
  put: ModelAnswerStore['put'] = async (question, answer) => void this.kept.set(JSON.stringify(question), answer)
  putAll: ModelAnswerStore['putAll'] = async (project_id, answers) => {
    for (const { answer, ...question } of answers) await this.put({ project_id, ...question }, answer)
  }
}

interface Given extends Partial<ModelEndpoint> {
  readonly answers?: ModelAnswerStore
  readonly budget?: ModelBudget
  readonly rubric?: Rubric
  readonly maxCharacters?: number
}

/** The usual rubric, of which what it is compiled to is kept from one test to the next. */
const usual = { rubric: defaultRubric.rubric, version: '1', verticals: [] }

export function evaluatorOf(server: Pick<ModelServer, 'url'>, given: Given = {}) {
  const { answers = new MemoryAnswers(), budget, rubric, maxCharacters = 200_000, ...more } = given
  const client = createModelClient(endpoint(server, more))
  const account = new ModelAccount(budget, { input: 1, output: 10 })
  const evaluator = new ModelEvaluator({
    endpoint: client.endpoint,
    asking: askingNow(client, account, new CallClaims(new InProcessLeases()), new AbortController().signal),
    answers,
    projectId: 'p',
    readings: readingsHere(rubric === undefined ? usual : { ...usual, rubric }),
    maxCharacters,
  })
  return {
    counts: evaluator.counts,
    evaluate: async (call: CallRecord, at: Date): Promise<Evaluation> => {
      const evaluated = await evaluator.evaluate(JSON.stringify(call), at.getTime())
      if ('json' in evaluated) return { fields: JSON.parse(evaluated.json) as EvaluatedFields }
      return { none: 'none' in evaluated ? evaluated.none : 'left' }
    },
  }
}

export const AT = new Date('2026-03-02T12:00:00.000Z')

/** A call in which all goes well. */
export const LINES = [
  'a: Thank you for calling Harbor Bank, my name is Ann, how can I help you?',
  'c: I would like to reset my password please',
  'a: Sure, happy to help with that. Your password is reset, I have sent you an email.',
  'c: Great, thank you, that is all.',
  'a: Anything else I can help with? Have a good day.',
]
export const goodCall = () => aCall(LINES)
