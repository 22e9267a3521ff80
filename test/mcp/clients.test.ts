import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, WAYS } from './connect.js'
import { type RunningToolServer, startToolServer } from './start-tool-server.js'

// What a client sees, whichever revision and transport it speaks.

let running: RunningToolServer
beforeAll(async () => {
  running = await startToolServer()
})
afterAll(() => running.server.close('test'))

describe.each(WAYS)('the official client, %s', way => {
  test('lists the tools with title, annotations and both schemas', async () => {
    const client = await connect(running.url, way)
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual(['who_am_i', 'wait_for_it', 'secret_ledger', 'failing'])
    expect(tools[0]).toMatchObject({
      title: 'Who am I',
      description: 'Says who asks.',
      inputSchema: {
        type: 'object',
        properties: { greeting: { type: 'string', maxLength: 20 } },
        additionalProperties: false,
      },
      outputSchema: { type: 'object', required: ['app', 'roles'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })
    await client.close()
  })

  test('gets an answer as text and as structured content, the same', async () => {
    const client = await connect(running.url, way)
    const result = await client.callTool({ name: 'who_am_i', arguments: { greeting: 'Grüße' } })
    expect(result.structuredContent).toEqual({ app: 'ada', roles: ['Admin'], greeting: 'Grüße' })
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual(result.structuredContent)
    await client.close()
  })

  test('gets a failure as a result that says so, without structured content', async () => {
    const client = await connect(running.url, way)
    const result = await client.callTool({ name: 'failing', arguments: { how: 'problem' } })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: '{"error":"Call not found: abc"}' }],
    })
    expect(result.structuredContent).toBeUndefined()
    await client.close()
  })

  test('is told -32602 for a tool that does not exist, with the nearest one', async () => {
    const client = await connect(running.url, way)
    await expect(client.callTool({ name: 'who_am_l' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: "who_am_l"; did you mean who_am_i?') as string,
    })
    await client.close()
  })

  test('without the role neither sees the tool nor may call it', async () => {
    const client = await connect(running.url, way, 'ben')
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).not.toContain('secret_ledger')
    expect(await client.callTool({ name: 'secret_ledger' })).toMatchObject({
      isError: true,
      content: [{ text: '{"error":"Role Admin or SuperAdmin required"}' }],
    })
    await client.close()
  })

  test('finds the list of resources empty, and reads the instructions', async () => {
    const client = await connect(running.url, way)
    expect((await client.listResources()).resources).toEqual([])
    expect(client.getInstructions()).toBe('Start with who_am_i.')
    await client.close()
  })

  test('can cancel a call, which stops the work', async () => {
    const client = await connect(running.url, way)
    const before = running.answering.signals.length
    const cancel = new AbortController()
    const call = client.callTool({ name: 'wait_for_it' }, { signal: cancel.signal })
    await expect.poll(() => running.answering.signals.length).toBe(before + 1)
    cancel.abort()
    await expect(call).rejects.toThrow('aborted')
    await expect.poll(() => running.answering.signals[before]!.aborted).toBe(true)
    expect((await client.callTool({ name: 'who_am_i' })).structuredContent).toMatchObject({ app: 'ada' })
    await client.close()
  })
})

test.each(['2025-11-25', '2026-07-28', 'sse'] as const)('a changed key is announced to its clients: %s', async way => {
  let told = 0
  let othersTold = 0
  const client = await connect(running.url, way, 'ada', () => (told += 1))
  const other = await connect(running.url, way, 'ben', () => (othersTold += 1))
  await expect
    .poll(() => {
      running.keys.patch('ada', ['Supervisor'])
      return told
    })
    .toBeGreaterThan(0)
  expect((await client.listTools()).tools.map(tool => tool.name)).not.toContain('secret_ledger')
  running.keys.patch('ada', ['Admin'])
  expect((await client.callTool({ name: 'who_am_i' })).structuredContent).toMatchObject({ roles: ['Admin'] })
  expect(othersTold).toBe(0)
  await client.close()
  await other.close()
})
