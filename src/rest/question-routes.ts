import { z } from 'zod'
import type { Projects } from '../access/projects.js'
import type { Answering } from '../questions/answering.js'
import type { Question } from '../questions/question.js'
import { restQuestions } from '../questions/rest-questions.js'
import { queryParameters } from './query-parameters.js'
import { type Received, type Route, route } from './route.js'

export interface QuestionRouteParts {
  /** Not the audited one: routes are put on record where they are served. */
  readonly answering: Pick<Answering, 'answer'>
  readonly projects: Pick<Projects, 'get'>
}

interface QuestionAt {
  readonly url: string
  readonly question: Question
  readonly etag?: true
}

const PATH_VARIABLE = /:(\w+)/g

/** Questions about calls, asked by an application key or about an administrator's project. */
export function questionRoutes(parts: QuestionRouteParts): readonly Route[] {
  const { listInteractions, getInteraction, listAgents, getAgent, getScoreDistribution } = restQuestions
  return [
    questionRoute(parts, { url: '/api/v1/interactions', question: listInteractions }),
    questionRoute(parts, { url: '/api/v1/interactions/:interaction_id', question: getInteraction, etag: true }),
    questionRoute(parts, { url: '/api/v1/agents', question: listAgents }),
    questionRoute(parts, { url: '/api/v1/agents/:agent_id/performance', question: getAgent }),
    questionRoute(parts, { url: '/api/v1/scores/distribution', question: getScoreDistribution }),
  ]
}

function questionRoute({ answering, projects }: QuestionRouteParts, { url, question, etag }: QuestionAt): Route {
  const inPath = [...url.matchAll(PATH_VARIABLE)].map(([, name = '']) => name)
  return route({
    method: 'GET',
    url,
    access: 'caller',
    summary: question.title,
    description: question.description,
    query: queryParameters(without(question.input, inPath)),
    answer: question.output,
    ...(etag === undefined ? {} : { etag }),
    handle: async (request, caller) => {
      // An administrator may name a project that is not there; a key's always is.
      projects.get(caller.project_id)
      const variables = Object.fromEntries(inPath.map(name => [name, request.param(name)]))
      const ask = (query: object) => answering.answer(question, caller, { ...query, ...variables }, request)
      return await ask(await queryOf(request, () => (inPath.length === 0 ? Promise.resolve() : ask({}))))
    },
  })
}

/** The query, once what the path names has been found: what is not there comes before what is written wrong. */
async function queryOf(request: Received<unknown, unknown>, find: () => Promise<unknown>): Promise<object> {
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
