import { setTimeout } from 'node:timers/promises'
import type { ServerContext } from '@modelcontextprotocol/server'
import { fixtureTool, said } from './fixture-tool.js'
import { PIXEL, SILENCE } from './media.js'

const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' }

async function log(context: ServerContext, message: string): Promise<void> {
  // Deprecated with the newest revision, and required by the one before.
  // oxlint-disable-next-line typescript/no-deprecated
  await context.mcpReq.log('info', message, 'fixture')
}

async function progress(context: ServerContext, progress: number): Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
}

/** Tools that answer with every kind of content, and say something on the way. */
export const contentTools = [
  fixtureTool('test_simple_text', 'Answers with text', () => said('This is a simple text response for testing.')),
  fixtureTool('test_image_content', 'Answers with a picture', () => ({ content: [image] })),
  fixtureTool('test_audio_content', 'Answers with a sound', () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  })),
  fixtureTool('test_embedded_resource', 'Answers with a resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  fixtureTool('test_multiple_content_types', 'Answers with text, a picture and a resource', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  })),
  fixtureTool('test_error_handling', 'Fails', () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  fixtureTool('test_tool_with_logging', 'Logs while it works', async (_args, context) => {
    await log(context, 'Tool execution started')
    await setTimeout(50)
    await log(context, 'Tool processing data')
    await setTimeout(50)
    await log(context, 'Tool execution completed')
    return said('Logged three messages.')
  }),
  fixtureTool('test_logging_tool', 'Logs one message', async (_args, context) => {
    await log(context, 'Tool was called')
    return said('Logged a message, if the client wants any.')
  }),
  fixtureTool('test_tool_with_progress', 'Reports its progress', async (_args, context) => {
    await progress(context, 0)
    await setTimeout(50)
    await progress(context, 50)
    await setTimeout(50)
    await progress(context, 100)
    return said('Reported progress.')
  }),
]
