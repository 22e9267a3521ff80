import type { z } from 'zod'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'

/** Fields whose words on the command line are not simply their own names. */
const WRITTEN: Readonly<Record<string, string>> = {
  agents: '--agent',
  allowed_agents: '--agent',
  condition: 'The condition',
  is_supervisor: '--supervisor',
  project_id: 'The id',
  roles: '--role',
  url: 'The address',
  verticals: '--vertical',
}

/**
 * What options and words of a command say, checked as the fields they stand for. A refusal calls them as they are written
 * (`--role`), not as the field (`roles.0`).
 * @throws Problem `invalid_input`
 */
export function parseOptions<T>(schema: z.ZodType<T>, fields: object): T {
  try {
    return parseInput(schema, fields, 'option')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.message.replaceAll(/Option "([\w-]+)[^"]*"/g, (_, field: string) => written(field))
    throw new Problem(error.code, message)
  }
}

function written(field: string): string {
  return Object.hasOwn(WRITTEN, field) ? WRITTEN[field]! : `--${field.replaceAll('_', '-')}`
}
