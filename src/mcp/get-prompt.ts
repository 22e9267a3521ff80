import type { GetPromptRequest, GetPromptResult } from '@modelcontextprotocol/server'
import type { Trail } from '../activity/audited.js'
import type { Answering } from '../questions/answering.js'
import type { Attendance } from './attend.js'
import type { PromptRegistry } from './prompt-registry.js'
import { recordUnknown } from './record-unknown.js'
import { unknownName } from './unknown-name.js'

interface GetPromptParts {
  readonly prompts: PromptRegistry
  readonly answering: Answering
  readonly trail: Trail
}

/** Answers one prompts/get. */
export async function getPrompt(
  { prompts, answering, trail }: GetPromptParts,
  { caller, ...context }: Attendance,
  { name, arguments: args = {} }: GetPromptRequest['params'],
): Promise<GetPromptResult> {
  const prompt = prompts.prompt(name)
  if (prompt === undefined) {
    await recordUnknown(trail, { caller, ...context }, 'unknown prompt')
    const known = prompts.list.map(one => one.name)
    throw unknownName('prompt', name, known)
  }
  const text = await answering.write(prompt, caller, args, context)
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
