import { z } from 'zod'
import type { Question } from '../questions/question.js'
import { restQuestions } from '../questions/rest-questions.js'
import { type Operation, operation, type Received } from './operation.js'

interface QuestionAt {
  readonly url: string
  readonly question: Question
  readonly etag?: true
}

const PATH_VARIABLE = /:(\w+)/g

/** The route of a question: what its path does not name are parameters of the query. */
function asked({ url, question, etag }: QuestionAt): Operation {
  const inPath = [...url.matchAll(PATH_VARIABLE)].map(([, name = '']) => name)
  return operation({
    method: 'GET',
    url,
    access: 'caller',
    summary: question.title,
    description: question.description,
    query: without(question.input, inPath),
    answer: question.output,
    ...(etag === undefined ? {} : { etag }),
    run: async ({ answering }, request: Received, caller) => {
      const variables = Object.fromEntries(inPath.map(name => [name, request.param(name as never)]))
      const ask = (query: object) => answering.answer(question, caller, { ...query, ...variables }, request)
      return await ask(await queryOf(request, () => (inPath.length === 0 ? Promise.resolve() : ask({}))))
    },
  })
}

/** The query, once what the path names has been found: what is not there comes before what is written wrong. */
async function queryOf(request: Pick<Received, 'query'>, find: () => Promise<unknown>): Promise<object> {
  try {
    return request.query() as object
  } catch (error) {
    await find()
    throw error
  }
}

/** The arguments that are no part of the path. */
function without(schema: z.ZodType, names: readonly string[]): z.ZodType {
  if (names.length === 0) return schema
  if (!(schema instanceof z.ZodObject)) throw new TypeError('A question with path variables takes no object')
  const rest = Object.entries<z.ZodType>(schema.shape).filter(([name]) => !names.includes(name))
  return z.strictObject(Object.fromEntries(rest))
}

const { listInteractions, getInteraction, listAgents, getAgent, getScoreDistribution } = restQuestions

/** Questions about calls, asked by an application key or about an administrator's project. */
export const questionOperations: readonly Operation[] = [
  asked({ url: '/api/v1/interactions', question: listInteractions }),
  asked({ url: '/api/v1/interactions/:interaction_id', question: getInteraction, etag: true }),
  asked({ url: '/api/v1/agents', question: listAgents }),
  asked({ url: '/api/v1/agents/:agent_id/performance', question: getAgent }),
  asked({ url: '/api/v1/scores/distribution', question: getScoreDistribution }),
]
