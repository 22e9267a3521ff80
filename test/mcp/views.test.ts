import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questions } from '../../src/questions/questions.js'
import { connectClient, ways } from '../support/mcp-client.js'
import { type RunningToolServer, startToolServer } from './start-tool-server.js'

// MCP Apps: clients that say that they show pages are told which tools have one, and others nothing of it. What a page draws is
// tried in a browser (test/console/views.test.ts).

const SHOWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const PAGES = {
  get_call_detail: 'ui://earshot/call.html',
  get_project_summary: 'ui://earshot/summary.html',
  detect_changes: 'ui://earshot/changes.html',
}

let running: RunningToolServer
beforeAll(async () => {
  const viewPage = '<html data-tool="TOOL"></html>'
  running = await startToolServer({}, { questions, viewPage })
  running.keys.mint('ada', ['Admin'])
})
afterAll(() => running.server.close('test'))

describe.each(ways)('%s', way => {
  test('a client that shows pages is told of those that there are, and reads them', async () => {
    const client = await connectClient(running.url, 'ada', way, SHOWS)
    try {
      const { tools } = await client.listTools()
      const told = tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta]]))
      expect(Object.fromEntries(told)).toEqual(
        Object.fromEntries(
          Object.entries(PAGES).map(([name, uri]) => [name, { ui: { resourceUri: uri }, 'ui/resourceUri': uri }]),
        ),
      )
      for (const [name, uri] of Object.entries(PAGES)) {
        expect((await client.readResource({ uri })).contents).toEqual([
          {
            uri,
            mimeType: 'text/html;profile=mcp-app',
            text: `<html data-tool="${name}"></html>`,
            _meta: { ui: { csp: {}, prefersBorder: true } },
          },
        ])
      }
      await expect(client.readResource({ uri: 'ui://earshot/other.html' })).rejects.toThrow('Resource not found')
    } finally {
      await client.close()
    }
  })

  test.each([
    ['nothing of it', {}],
    ['that it shows other kinds', { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } } }],
    ['no kind', { extensions: { 'io.modelcontextprotocol/ui': {} } }],
  ])('a client that says %s is told of none', async (_, capabilities) => {
    const client = await connectClient(running.url, 'ada', way, capabilities)
    try {
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(questions.length)
      expect(tools.filter(tool => '_meta' in tool)).toEqual([])
    } finally {
      await client.close()
    }
  })
})
