import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Problem } from '../../../src/base/problem.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'

const refused = async (url: string): Promise<Problem> =>
  await connectStore(url, { selectionMs: 300 }).then(
    () => Promise.reject(new Error('It opened')),
    (error: unknown) => error as Problem,
  )

/** A port of this machine where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

test.each([
  'mongodb:/db',
  'mongodb://me:hunter2@',
  'mongodb://me:hunt/er2@db/earshot',
  'mongodb://me:hunter2@db/earshot?noSuchOption=hunter2',
  'mongodb://me:hunter2@db:port/earshot',
  'postgres://me:hunter2@db/earshot',
])('an address that is none is told to be none, and not repeated: %s', async url => {
  const { code, message, cause } = await refused(url)
  expect([code, cause]).toEqual(['invalid_input', undefined])
  expect(message).toContain('not one of MongoDB, such as mongodb://')
  expect(message).not.toMatch(/hunt|er2/)
})

test('a store where nobody listens is named without its password, with why', async () => {
  const port = await closedPort()
  const { code, message } = await refused(`mongodb://me:hunter2@127.0.0.1:${port}/calls`)
  expect(code).toBe('store_unavailable')
  expect(message).toBe(`The store at 127.0.0.1:${port}/calls does not answer: nothing listens there`)
})
