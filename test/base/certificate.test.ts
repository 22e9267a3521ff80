import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Certificate } from '../../src/base/certificate.js'
import { tempDir } from '../support/temp-dir.js'
import { OTHER_TLS_CERT, OTHER_TLS_KEY, TLS_CERT, TLS_KEY } from '../support/tls.js'

afterEach(() => vi.useRealTimers())

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
