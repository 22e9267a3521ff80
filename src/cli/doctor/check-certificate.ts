import { Certificate } from '../../base/certificate.js'
import type { Config } from '../../config.js'
import { Problem } from '../../base/problem.js'
import { type Finding, findingsOf } from './finding.js'

/** Renewals run weeks before the end: with less than this left one has failed. */
const SOON_MS = 30 * 86_400_000

/** What the listeners show their clients, where they speak HTTPS. */
export function checkCertificate({
  tlsCert: certFile,
  tlsKey: keyFile,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): readonly Finding[] {
  if (certFile === undefined || keyFile === undefined) return []
  const { ok, warn, fail } = findingsOf('Certificate')
  try {
    const { endsAt } = new Certificate({ certFile, keyFile })
    const left = endsAt.getTime() - Date.now()
    const end = endsAt.toISOString()
    if (left <= 0)
      return [fail(`ended at ${end}: clients refuse it`, 'Renew it; a running server takes the new one by itself')]
    if (left < SOON_MS) return [warn(`ends at ${end}`, 'Renew it; a running server takes the new one by itself')]
    return [ok(`holds until ${end}`)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [fail(error.message, 'Correct the files, or the settings that name them')]
  }
}
