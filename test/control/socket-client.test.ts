import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { SocketClient } from '../../src/control/socket-client.js'
import { getServer } from '../../src/operations/maintenance.js'
import { operation } from '../../src/operations/operation.js'
import { refusal } from '../support/access.js'
import { tempDir } from '../support/temp-dir.js'

/** A client of a server that answers every request like this. */
async function clientOf(answer: (response: ServerResponse) => void): Promise<SocketClient> {
  const path = await socketOf((request, response) => {
    if (request.url === getServer.url) response.end(JSON.stringify({ version: '1', pid: 7 }))
    else answer(response)
  })
  return await SocketClient.open(path, '1')
}

async function socketOf(listener: RequestListener): Promise<string> {
  const path = join(tempDir(), 'control.sock')
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(path, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return path
}

const shape = {
  method: 'POST',
  url: '/work',
  access: 'super_admin',
  answer: z.looseObject({}),
  run: () => ({}),
} as const
const whole = operation(shape)
const streaming = operation({ ...shape, streams: true, progress: z.looseObject({}) })
const GONE = 'store_unavailable: The running server does not answer at its control socket any more'

test.each([
  ['between two lines', '{"done":1}\n{"done":2}\n'],
  ['within a line', '{"done":1}\n{"do'],
  ['before the first', ''],
])('an answer in lines that is cut short %s is none', async (_, text) => {
  const client = await clientOf(response => {
    response.write(text || ' ')
    setTimeout(() => response.destroy(), 50)
  })
  const lines: object[] = []
  expect(await refusal(() => client.run(streaming, {}, { onProgress: line => lines.push(line) }))).toBe(GONE)
  expect(lines.length).toBeLessThan(2)
})

test('its last line is the answer, and those before are told as they come', async () => {
  const client = await clientOf(response => void response.end('{"done":1}\n{"done":2}\n{"all":3}\n'))
  const lines: object[] = []
  expect(await client.run(streaming, {}, { onProgress: line => lines.push(line) })).toEqual({ all: 3 })
  expect(lines).toEqual([{ done: 1 }, { done: 2 }])
})

test('an answer with more in it is taken; one that is another is refused with a sentence', async () => {
  const counting = operation({ ...shape, answer: z.strictObject({ count: z.int() }), run: () => ({ count: 0 }) })
  const more = await clientOf(response => void response.end('{"count":7,"median":3}'))
  expect(await more.run(counting, {})).toEqual({ count: 7, median: 3 })
  const other = await clientOf(response => void response.end('{"counts":[7]}'))
  expect(await refusal(() => other.run(counting, {}))).toBe(
    'conflict: What the running server answers is not what this command expects: it may be of another version',
  )
})

test('an answer in one piece that is cut short is none', async () => {
  const client = await clientOf(response => {
    response.write('{"whole":')
    setTimeout(() => response.destroy(), 50)
  })
  expect(await refusal(() => client.run(whole, {}))).toBe(GONE)
})

test('a server that takes connections and says nothing is not waited for without end', async () => {
  const path = await socketOf(() => undefined)
  expect(await refusal(() => SocketClient.open(path, '1', 10))).toBe(
    'store_unavailable: The running server has not answered at its control socket for 0.01 s: it is frozen (kill -CONT has it go on) or hangs. Killing it and starting again loses nothing that was acknowledged',
  )
})
