import {
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Prompt,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { PIXEL } from './media.js'

type Arguments = Readonly<Record<string, string | undefined>>

interface FixturePrompt {
  readonly definition: Prompt
  get(args: Arguments, context: ServerContext): GetPromptResult | InputRequiredResult
}

function user(content: PromptMessage['content']): PromptMessage {
  return { role: 'user', content }
}

function says(text: string): PromptMessage {
  return user({ type: 'text', text })
}

/** The prompts that the suite gets. */
export const fixturePrompts: readonly FixturePrompt[] = [
  {
    definition: { name: 'test_simple_prompt', description: 'A simple prompt without arguments' },
    get: () => ({ messages: [says('This is a simple prompt for testing.')] }),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with required arguments',
      arguments: [
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
    },
    get: ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt that embeds a resource',
      arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    },
    get: ({ resourceUri = '' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        says('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'A prompt that shows a picture' },
    get: () => ({
      messages: [user({ type: 'image', data: PIXEL, mimeType: 'image/png' }), says('Please analyze the image above.')],
    }),
  },
  {
    definition: { name: 'test_input_required_result_prompt', description: 'A prompt that asks the user first' },
    get: (_args, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'user_context')
      if (answer.kind === 'elicit') return { messages: [says(`With context: ${JSON.stringify(answer.content ?? {})}`)] }
      const requestedSchema = { type: 'object' as const, properties: { context: { type: 'string' as const } } }
      return inputRequired({
        inputRequests: { user_context: inputRequired.elicit({ message: 'What for?', requestedSchema }) },
      })
    },
  },
]
