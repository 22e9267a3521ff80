import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { Problem } from '../../../src/base/problem.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { type FakeServer, fakeServer } from '../../support/mongodb/fake-server.js'
import { tempDir } from '../../support/temp-dir.js'
import { ENDED_TLS_CERT, ENDED_TLS_KEY, OTHER_TLS_CERT, TLS_CERT, TLS_KEY } from '../../support/tls.js'

/** What an operator is told of TLS between a process and its store: the real driver, and a fake that listens with TLS. */

const PAIR = { key: TLS_KEY, cert: TLS_CERT }
const WANTS_CERTIFICATE = { ...PAIR, requestCert: true, rejectUnauthorized: true, ca: TLS_CERT }

function fileOf(text: string): string {
  const path = join(tempDir(), 'given.pem')
  writeFileSync(path, text)
  return path
}

async function listening(tls?: TlsOptions): Promise<FakeServer> {
  const server = await fakeServer(tls && { tls })
  onTestFinished(() => server.close())
  return server
}

const byTls = ({ url }: FakeServer, ca: string, more = '') => `${url}&tls=true&tlsCAFile=${fileOf(ca)}${more}`

const refused = async (url: string): Promise<Problem> =>
  await connectStore(url, { selectionMs: 300 }).then(
    () => Promise.reject(new Error('It opened')),
    (error: unknown) => error as Problem,
  )

async function opened(url: string) {
  const { client, db } = await connectStore(url)
  onTestFinished(() => client.close())
  return await db.command({ ping: 1 })
}

test('a store whose certificate is of the authority of tlsCAFile is opened', async () => {
  expect(await opened(byTls(await listening(PAIR), TLS_CERT))).toMatchObject({ ok: 1 })
})

test('and one that wants a certificate of its clients, where it is given one', async () => {
  const url = byTls(
    await listening(WANTS_CERTIFICATE),
    TLS_CERT,
    `&tlsCertificateKeyFile=${fileOf(TLS_CERT + TLS_KEY)}`,
  )
  expect(await opened(url)).toMatchObject({ ok: 1 })
})

const OF_NO_AUTHORITY =
  'its certificate is of no authority that is trusted here; tlsCAFile in the address names a file with the certificate of the one that it is of'

test.each([
  ['of another authority', PAIR, OTHER_TLS_CERT, OF_NO_AUTHORITY],
  ['with a file of authorities that holds none', PAIR, 'no certificate', OF_NO_AUTHORITY],
  [
    'with an expired certificate',
    { key: ENDED_TLS_KEY, cert: ENDED_TLS_CERT },
    ENDED_TLS_CERT,
    'its certificate has expired; it needs a new one',
  ],
  [
    'that wants a certificate of its clients',
    WANTS_CERTIFICATE,
    TLS_CERT,
    'it takes no client without a certificate that it trusts; tlsCertificateKeyFile in the address names a file with one and its key',
  ],
  [
    'that wants one, in TLS 1.2',
    { ...WANTS_CERTIFICATE, maxVersion: 'TLSv1.2' as const },
    TLS_CERT,
    'they do not agree on TLS: they have no cipher in common, or it takes no client without a certificate that it trusts; tlsCertificateKeyFile in the address names a file with one and its key',
  ],
])('a store %s is refused, with what would be right', async (_, tls, ca, said) => {
  const server = await listening(tls)
  const { code, message } = await refused(byTls(server, ca))
  expect(code).toBe('store_unavailable')
  expect(message).toBe(`The store at ${new URL(server.url).host}/earshot does not answer: ${said}`)
})

test('a certificate that nobody vouches for here is told of, where the address names no authority', async () => {
  const server = await listening(PAIR)
  expect((await refused(`${server.url}&tls=true`)).message).toContain(OF_NO_AUTHORITY)
})

test('a store that its certificate calls otherwise is refused', async () => {
  const server = await listening(PAIR)
  const { message } = await refused(byTls(server, TLS_CERT).replace('127.0.0.1', '[::ffff:127.0.0.1]'))
  expect(message).toContain('its certificate is not for this name; the address has to call it as its certificate does')
})

test('an address without TLS to a port with TLS, and the other way round, are told apart', async () => {
  expect((await refused((await listening(PAIR)).url)).message).toContain(
    'it closed the connection; where it listens with TLS, the address needs tls=true',
  )
  expect((await refused(byTls(await listening(), TLS_CERT))).message).toContain(
    'where it listens without TLS, leave tls=true out of the address',
  )
})

test.each(['tlsCAFile', 'tlsCertificateKeyFile'])('a file of %s that is not there is named', async name => {
  const missing = join(tempDir(), 'missing.pem')
  const { code, message } = await refused(`${(await listening(PAIR)).url}&tls=true&${name}=${missing}`)
  expect(code).toBe('invalid_input')
  expect(message).toBe(
    `The address of the store names a file, ${missing}, that cannot be read (there is none); see tlsCAFile and tlsCertificateKeyFile in it`,
  )
})

test('a file of tlsCertificateKeyFile without a key is told to be none', async () => {
  const server = await listening(WANTS_CERTIFICATE)
  const { message } = await refused(byTls(server, TLS_CERT, `&tlsCertificateKeyFile=${fileOf(TLS_CERT)}`))
  expect(message).toContain(
    'the file of tlsCertificateKeyFile in the address does not hold a certificate and its key, as PEM',
  )
})

test('a port that takes connections and says nothing is given up in time', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  for (const options of ['', `?tls=true&tlsCAFile=${fileOf(TLS_CERT)}`]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await refused(`mongodb://${at}/earshot${options}`)).message).toBe(
      `The store at ${at}/earshot does not answer: nothing came back in time`,
    )
  }
})

test('nothing that is said of it holds a name, a password or what else the address says', async () => {
  const server = await listening(PAIR)
  const url = byTls(server, OTHER_TLS_CERT, '&tlsCertificateKeyFilePassword=hunter2').replace('//', '//me:hunter3@')
  expect((await refused(url)).message).not.toMatch(/hunter|me:/)
})
