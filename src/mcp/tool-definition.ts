import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Question } from '../questions/question.js'

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
    inputSchema: objectSchema(question.input, 'input'),
    outputSchema: objectSchema(question.output, 'output'),
    annotations: {
      title: question.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

function objectSchema(schema: z.ZodType, io: 'input' | 'output'): Tool['inputSchema'] {
  // Inputs are written out in full, because some clients do not follow references; outputs are larger and share theirs.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, reused: io === 'input' ? 'inline' : 'ref' })
  if (json.type !== 'object') throw new Error(`The ${io} of a question must be an object`)
  return json as Tool['inputSchema']
}
