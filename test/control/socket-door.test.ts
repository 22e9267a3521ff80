import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SERVER_URL } from '../../src/control/control-routes.js'
import { SocketDoor } from '../../src/control/socket-door.js'
import { refusal } from '../support/access.js'
import { tempDir } from '../support/temp-dir.js'

/** A door to a server that answers every errand like this. */
async function doorTo(answer: (response: ServerResponse) => void): Promise<SocketDoor> {
  const path = join(tempDir(), 'control.sock')
  const server = createServer((request, response) => {
    if (request.url === SERVER_URL) response.end(JSON.stringify({ version: '1', pid: 7 }))
    else answer(response)
  })
  await new Promise<void>(resolve => server.listen(path, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return await SocketDoor.open(path, '1')
}

const errand = { method: 'POST', url: '/work' } as const
const GONE = 'store_unavailable: The running server does not answer at its control socket any more'

test.each([
  ['between two lines', '{"done":1}\n{"done":2}\n'],
  ['within a line', '{"done":1}\n{"do'],
  ['before the first', ''],
])('an answer in lines that is cut short %s is none', async (_, text) => {
  const door = await doorTo(response => {
    response.write(text || ' ')
    setTimeout(() => response.destroy(), 50)
  })
  const lines: object[] = []
  expect(await refusal(() => door.ask({ ...errand, onLine: line => lines.push(line) }))).toBe(GONE)
  expect(lines.length).toBeLessThan(2)
})

test('its last line is the answer, and those before are told as they come', async () => {
  const door = await doorTo(response => void response.end('{"done":1}\n{"done":2}\n{"all":3}\n'))
  const lines: object[] = []
  expect(await door.ask({ ...errand, onLine: line => lines.push(line) })).toEqual({ all: 3 })
  expect(lines).toEqual([{ done: 1 }, { done: 2 }])
})

test('an answer in one piece that is cut short is none', async () => {
  const door = await doorTo(response => {
    response.write('{"whole":')
    setTimeout(() => response.destroy(), 50)
  })
  expect(await refusal(() => door.ask(errand))).toBe(GONE)
})
