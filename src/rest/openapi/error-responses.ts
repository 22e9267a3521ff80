import { z } from 'zod'
import { namesProject, type Operation } from '../../operations/operation.js'
import { answerTypes } from '../answer-type.js'
import { jsonSchema } from './json-schema.js'

/** The body of every refusal and failure. */
const errorAnswer = z.strictObject({
  error: z.string().meta({ description: 'What is wrong, in a sentence' }),
  code: z.string().meta({ description: 'A stable word to branch on' }),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  reference: z.string().optional().meta({ description: 'Of an internal error: what the operator finds it by' }),
  approval_id: z
    .string()
    .optional()
    .meta({ description: 'What waits for a second administrator, where that is why it is refused' }),
})

const DESCRIPTIONS = {
  401: 'The bearer token is missing or not valid',
  403: 'The credential may not do this',
  404: 'Not there, or out of scope',
  406: 'In none of the media types that Accept takes',
  409: 'In conflict with what is there',
  413: 'Larger than a limit',
  415: 'Of a media type or encoding that is not taken',
  422: 'Not valid; details say where',
  429: 'Too many requests; Retry-After says when to try again',
  500: 'A failure inside, with a reference for the operator',
  503: 'Not available at the moment',
} as const

export type ErrorStatus = keyof typeof DESCRIPTIONS

/** What all operations share: the error schema and a response per status. */
export const errorComponents = {
  schemas: { Error: jsonSchema(errorAnswer, 'output') },
  responses: Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([status, description]) => [
      `Error${status}`,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  ),
}

/** The failures that a route can answer with. */
function statusesOf(route: Operation): readonly ErrorStatus[] {
  const { access, body, uploads, conflicts, failures = [], url } = route
  if (access === 'open') return failures
  const takesBody = body !== undefined || uploads !== undefined
  const hasVariables = url.includes(':')
  return [
    401,
    403,
    ...(hasVariables || namesProject(access) ? ([404] as const) : []),
    ...(answerTypes(route).length === 0 ? [] : ([406] as const)),
    ...(conflicts === undefined ? [] : ([409] as const)),
    ...(takesBody || hasVariables ? ([413] as const) : []),
    ...(takesBody ? ([415] as const) : []),
    422,
    429,
    500,
    503,
  ]
}

/** References to the failures of a route, by status. */
export function errorResponses(route: Operation): Readonly<Record<string, object>> {
  return Object.fromEntries(
    statusesOf(route).map(status => {
      const more = status === 409 ? { description: route.conflicts } : {}
      return [status, { $ref: `#/components/responses/Error${status}`, ...more }]
    }),
  )
}
