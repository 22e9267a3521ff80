import { statSync } from 'node:fs'
import { Certificate } from '../../base/certificate.js'
import type { Config } from '../../config.js'
import { Problem } from '../../base/problem.js'
import { type Finding, findingsOf } from './finding.js'

/** Renewals run weeks before the end: with less than this left one has failed. */
const SOON_MS = 30 * 86_400_000

const RENEW = 'Renew it; a running server takes the new one by itself'

/** What the listeners show their clients, where they speak HTTPS. */
export function checkCertificate({
  tlsCert: certFile,
  tlsKey: keyFile,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): readonly Finding[] {
  if (certFile === undefined || keyFile === undefined) return []
  const { ok, warn, fail } = findingsOf('Certificate')
  try {
    const { endsAt, lapse } = new Certificate({ certFile, keyFile })
    if (lapse !== undefined) return [fail(`${lapse}: clients refuse it`, RENEW)]
    const end = endsAt.toISOString()
    const holds = endsAt.getTime() - Date.now() < SOON_MS ? warn(`ends at ${end}`, RENEW) : ok(`holds until ${end}`)
    // Of a group that may read it (ssl-cert, say) somebody thought.
    if ((statSync(keyFile).mode & 0o007) === 0) return [holds]
    return [holds, warn(`${keyFile} is open to every user of this machine`, `chmod o= ${keyFile}`)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [fail(error.message, 'Correct the files, or the settings that name them')]
  }
}
