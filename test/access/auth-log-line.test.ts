import { expect, it } from 'vitest'
import { authLogLine } from '../../src/mcp/tool-server.js'
import { makeAccess } from '../support/access.js'

it('is the line of the specification, one line whatever the name holds', async () => {
  const { gate, keys } = await makeAccess()
  const fields = { name: 'Dashboard', is_supervisor: true, roles: [], allowed_agents: [], require_mapping: false }
  const { key } = await keys.mint('p1', fields, { name: 'ada', role: 'Admin' })
  const { caller } = await gate.enter(`Bearer ${key}`, '127.0.0.1')
  expect(authLogLine(caller)).toBe('MCP auth via application_key: project_id=p1 app=Dashboard')
  expect(authLogLine({ ...caller, app_name: 'a\r\nMCP auth\u001b[31m\u2028b' })).toBe(
    String.raw`MCP auth via application_key: project_id=p1 app=a\u000d\u000aMCP auth\u001b[31m\u2028b`,
  )
})
