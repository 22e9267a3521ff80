import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import type { Answering } from '../questions/answering.js'
import type { Completable } from '../questions/completion.js'
import type { PromptRegistry } from './prompts.js'
import { unknownName } from './protocol-failure.js'
import { type Asked, contextOf } from './request-context.js'
import type { ResourceRegistry } from './resources.js'

interface CompleteParts {
  readonly resources: ResourceRegistry
  readonly prompts: PromptRegistry
  readonly answering: Answering
}

/** Answers one completion/complete. */
export async function complete(
  parts: CompleteParts,
  asked: Asked,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const { caller } = asked.request
  const target = targetOf(parts, ref)
  const { values, more } = await parts.answering.complete(target, caller, argument, contextOf(asked, caller))
  return { completion: { values: [...values], hasMore: more } }
}

function targetOf({ resources, prompts }: CompleteParts, ref: CompleteRequest['params']['ref']): Completable {
  const target = ref.type === 'ref/prompt' ? prompts.prompt(ref.name) : resources.ofTemplate(ref.uri)
  if (target !== undefined) return target
  if (ref.type === 'ref/prompt') {
    const known = prompts.list.map(prompt => prompt.name)
    throw unknownName('prompt', ref.name, known)
  }
  const known = resources.templates.map(template => template.uriTemplate)
  throw unknownName('resource template', ref.uri, known)
}
