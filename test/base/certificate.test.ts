import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Certificate } from '../../src/base/certificate.js'
import { tempDir } from '../support/temp-dir.js'
import { OTHER_TLS_CERT, OTHER_TLS_KEY, SHORT_TLS_CERT, SHORT_TLS_KEY, TLS_CERT, TLS_KEY } from '../support/tls.js'

afterEach(() => vi.useRealTimers())

test('one with an RSA key of fewer than 2,048 bits is not begun with, nor taken in place of another', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
  const dir = tempDir()
  const files = { certFile: join(dir, 'cert.pem'), keyFile: join(dir, 'key.pem') }
  const put = (cert: string, key: string) => {
    writeFileSync(files.certFile, cert)
    writeFileSync(files.keyFile, key)
  }
  put(SHORT_TLS_CERT, SHORT_TLS_KEY)
  const said = `EARSHOT_TLS_KEY: ${files.keyFile} is an RSA key of 1024 bits, which clients refuse as too short; take one of 2048 bits or more, or EC on P-256, P-384 or P-521`
  expect(() => new Certificate(files)).toThrow(said)
  put(TLS_CERT, TLS_KEY)
  const certificate = new Certificate(files)
  const [taken, refused] = [vi.fn<(endsAt: Date) => void>(), vi.fn<(why: string) => void>()]
  certificate.watch({ taken, refused })
  try {
    put(SHORT_TLS_CERT, SHORT_TLS_KEY)
    await expect.poll(() => refused.mock.calls[0]).toEqual([said])
    expect(certificate.shown.cert).toBe(TLS_CERT)
    expect(taken).not.toHaveBeenCalled()
  } finally {
    certificate.close()
  }
})

test('one that does not hold yet is not shown in place of one that does, and is as soon as it holds', async () => {
  const begins = Date.parse('2026-11-23T15:32:22Z')
  vi.useFakeTimers({ toFake: ['Date'], now: begins - 4_000 })
  const dir = tempDir()
  const files = { certFile: join(dir, 'cert.pem'), keyFile: join(dir, 'key.pem') }
  const put = (cert: string, key: string) => {
    writeFileSync(files.certFile, cert)
    writeFileSync(files.keyFile, key)
  }
  put(TLS_CERT, TLS_KEY)
  const certificate = new Certificate(files)
  const [taken, refused] = [vi.fn<(endsAt: Date) => void>(), vi.fn<(why: string) => void>()]
  certificate.watch({ taken, refused })
  try {
    expect(certificate.lapse).toBeUndefined()
    put(OTHER_TLS_CERT, OTHER_TLS_KEY)
    await expect.poll(() => refused.mock.calls[0]).toEqual(['it does not hold before 2026-11-23T15:32:22.000Z'])
    expect(certificate.shown.cert).toBe(TLS_CERT)
    await expect.poll(() => taken.mock.calls.length).toBe(1)
    expect(certificate.shown.cert).toBe(OTHER_TLS_CERT)
  } finally {
    certificate.close()
  }
})
