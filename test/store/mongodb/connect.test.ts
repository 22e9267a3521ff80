import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Problem } from '../../../src/base/problem.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { fakeServer } from '../../support/mongodb/fake-server.js'

const refused = async (url: string, selectionMs = 300): Promise<Problem> =>
  await connectStore(url, { selectionMs }).then(
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
  // Long enough for a busy machine to be told that nothing listens.
  const { code, message } = await refused(`mongodb://me:hunter2@127.0.0.1:${port}/calls`, 5_000)
  expect(code).toBe('store_unavailable')
  expect(message).toBe(`The store at 127.0.0.1:${port}/calls does not answer: nothing listens there`)
})

test('an address that names a replica set where others answer is told so', async () => {
  for (const options of [{}, { sharded: {} }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const server = await fakeServer(options)
    onTestFinished(() => server.close())
    const { host } = new URL(server.url)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await refused(`mongodb://${host}/earshot?replicaSet=typo`)).message).toBe(
      `The store at ${host}/earshot does not answer: no member of a replica set typo is there; see replicaSet in the address, and leave it out where routers of a sharded cluster (mongos) answer`,
    )
  }
})

test.each([
  [
    'too old',
    () => ({ maxWireVersion: 17 }),
    {
      code: 'store_unavailable',
      message: expect.stringMatching(/ is of version 6\.0\.1; it has to be MongoDB 7\.0 or later/),
    },
  ],
  [
    'minutes ahead',
    () => ({ localTime: new Date(Date.now() + 300_000) }),
    {
      code: 'store_unavailable',
      message: expect.stringMatching(/^The clock of the store at .* is (300|299|298) s ahead of this machine's/),
    },
  ],
  [
    'minutes behind',
    () => ({ localTime: new Date(Date.now() - 300_000) }),
    {
      code: 'store_unavailable',
      message: expect.stringMatching(/ s behind this machine's; set both by the network's time$/),
    },
  ],
])('a server that is %s is told of, with what would be right', async (_, hello, said) => {
  const server = await fakeServer()
  onTestFinished(() => server.close())
  server.hello = hello()
  expect(await refused(server.url)).toMatchObject(said)
})

test('a server elsewhere that lets in whoever reaches it is refused', async () => {
  const server = await fakeServer()
  onTestFinished(() => server.close())
  // Any address that is not said to be this machine's.
  const { code, message } = await refused(server.url.replace('127.0.0.1', '0.0.0.0'))
  expect(code).toBe('forbidden')
  expect(message).toContain('lets in whoever reaches it. Turn its authentication on, and give name and password')
})

test.each([
  [13, 'asks for a name and password that may read and write its database'],
  [18, 'does not take the name and password of its address'],
])('a server that lets nobody in says so: code %i', async (code, said) => {
  const server = await fakeServer()
  onTestFinished(() => server.close())
  server.fault = name => (name === 'find' ? { code, message: 'not authorized on earshot' } : undefined)
  const problem = await refused(server.url)
  expect(problem.code).toBe('forbidden')
  expect(problem.message).toBe(`The store at ${new URL(server.url).host}/earshot ${said}`)
})
