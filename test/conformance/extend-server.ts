import type { Extend } from '../../src/mcp/build-server.js'
import { askingTools } from './asking-tools.js'
import { contentTools } from './content-tools.js'
import { fixturePrompts } from './fixture-prompts.js'
import { fixtureResources, fixtureTemplates, readFixtureResource } from './fixture-resources.js'
import { fixtureTool, said } from './fixture-tool.js'
import { statelessTools } from './stateless-tools.js'

/**
 * Gives a protocol server the tools, resources and prompts that the official suite asks for, and the abilities that go
 * with them, beside the service's own: what the suite checks is the service with these in it.
 *
 * @param changeTools does what makes the service announce another list of tools
 */
export function extendServer(changeTools: () => Promise<unknown>): Extend {
  const change = fixtureTool('test_trigger_tool_change', 'Makes the list of tools change', async () => {
    await changeTools()
    return said('The list of tools may have changed.')
  })
  const all = [...contentTools, ...askingTools, ...statelessTools, change]
  const tools = new Map(all.map(tool => [tool.definition.name, tool]))
  const prompts = new Map(fixturePrompts.map(prompt => [prompt.definition.name, prompt]))
  return ({ server }, own) => {
    server.registerCapabilities({ logging: {}, resources: { subscribe: true } })
    server.setRequestHandler('tools/list', async (request, context) => {
      const { tools: ours } = await own['tools/list'](request, context)
      return { tools: [...ours, ...[...tools.values()].map(tool => tool.definition)] }
    })
    server.setRequestHandler('tools/call', async (request, context) => {
      const { name, arguments: args = {} } = request.params
      return (await tools.get(name)?.call(args, context)) ?? (await own['tools/call'](request, context))
    })
    server.setRequestHandler('resources/list', async (request, context) => {
      const { resources } = await own['resources/list'](request, context)
      return { resources: [...resources, ...fixtureResources] }
    })
    server.setRequestHandler('resources/templates/list', async (request, context) => {
      const { resourceTemplates } = await own['resources/templates/list'](request, context)
      return { resourceTemplates: [...resourceTemplates, ...fixtureTemplates] }
    })
    server.setRequestHandler(
      'resources/read',
      async (request, context) =>
        readFixtureResource(request.params.uri) ?? (await own['resources/read'](request, context)),
    )
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
    server.setRequestHandler('prompts/list', async (request, context) => {
      const { prompts: ours } = await own['prompts/list'](request, context)
      return { prompts: [...ours, ...[...prompts.values()].map(prompt => prompt.definition)] }
    })
    server.setRequestHandler('prompts/get', async (request, context) => {
      const { name, arguments: args = {} } = request.params
      return prompts.get(name)?.get(args, context) ?? (await own['prompts/get'](request, context))
    })
    server.setRequestHandler('completion/complete', async (request, context) => {
      const { ref, argument } = request.params
      const fixture = ref.type === 'ref/prompt' && prompts.has(ref.name)
      if (!fixture) return await own['completion/complete'](request, context)
      return { completion: { values: [`${argument.value}-one`, `${argument.value}-two`], hasMore: false } }
    })
  }
}
