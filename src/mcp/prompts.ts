import type {
  GetPromptRequest,
  GetPromptResult,
  Prompt as ListedPrompt,
  PromptArgument,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Trail } from '../activity/audited.js'
import type { Answering } from '../questions/answering.js'
import type { Prompt } from '../questions/prompt.js'
import { recordUnknown, unknownName } from './protocol-failure.js'
import { type Asked, contextOf } from './request-context.js'

/** The prompts as clients see them. Throws when one can't be described or two have the same name. */
export class PromptRegistry {
  readonly #prompts: ReadonlyMap<string, { readonly prompt: Prompt; readonly definition: ListedPrompt }>

  constructor(prompts: readonly Prompt[]) {
    this.#prompts = new Map(prompts.map(prompt => [prompt.name, { prompt, definition: definitionOf(prompt) }]))
    if (this.#prompts.size < prompts.length) throw new Error('Two prompts have the same name')
  }

  get list(): ListedPrompt[] {
    return [...this.#prompts.values()].map(({ definition }) => definition)
  }

  prompt(name: string): Prompt | undefined {
    return this.#prompts.get(name)?.prompt
  }
}

function definitionOf(prompt: Prompt): ListedPrompt {
  const { name, title, description } = prompt
  return { name, title, description, arguments: argumentsOf(prompt.input) }
}

function argumentsOf(input: z.ZodType): PromptArgument[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(typeof schema === 'object' && schema.description !== undefined ? { description: schema.description } : {}),
    required: required.includes(name),
  }))
}

interface GetPromptParts {
  readonly prompts: PromptRegistry
  readonly answering: Answering
  readonly trail: Trail
}

/** Answers one prompts/get. */
export async function getPrompt(
  { prompts, answering, trail }: GetPromptParts,
  asked: Asked,
  { name, arguments: args = {} }: GetPromptRequest['params'],
): Promise<GetPromptResult> {
  const { request } = asked
  const { caller } = request
  const prompt = prompts.prompt(name)
  if (prompt === undefined) {
    await recordUnknown(trail, request, 'unknown prompt')
    const known = prompts.list.map(one => one.name)
    throw unknownName('prompt', name, known)
  }
  const text = await answering.write(prompt, caller, args, contextOf(asked, caller))
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
