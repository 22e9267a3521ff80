import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Question } from '../questions/question.js'
import { answerSchema } from './answer-schema.js'

/**
 * A question as clients see it in tools/list. Made once per question: turning zod into JSON Schema on every list costs
 * three quarters of the lists per second.
 *
 * The schemas are only shown, never enforced here: the SDK would drop unknown arguments silently, the question refuses
 * them by name.
 */
export function toolDefinition(question: Question): Tool {
  return {
    name: question.name,
    title: question.title,
    description: question.description,
    inputSchema: inputSchema(question.input),
    outputSchema: objectSchema(answerSchema(question.output)),
    annotations: {
      title: question.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

function inputSchema(schema: z.ZodType): Tool['inputSchema'] {
  // Written out in full, because some clients do not follow references.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' })
  return objectSchema(json)
}

function objectSchema(json: z.core.JSONSchema.BaseSchema): Tool['inputSchema'] {
  if (json.type !== 'object') throw new Error('Input and output of a question must be objects')
  return json as Tool['inputSchema']
}
