import type { Logger } from 'pino'
import type { Admission } from '../admission/admission.js'
import type { ConsoleSessions } from '../access/console-sessions.js'
import type { Gate } from '../access/gate.js'
import type { Certificate } from '../base/certificate.js'
import type { NotReady } from '../base/not-ready.js'
import type { Config } from '../config.js'
import type { Metrics } from '../metrics/metrics.js'
import type { CompanySignIn } from '../oauth/company-sign-in.js'
import type { Answering } from '../questions/answering.js'
import type { Services } from '../operations/services.js'
import type { Installation } from './open-installation.js'

/** What the listeners are made of. */
export interface ListenerParts {
  readonly config: Config
  readonly log: Logger
  /** What both listeners show their clients; without one they speak plain HTTP. */
  readonly certificate: Certificate | undefined
  readonly installation: Installation
  readonly admission: Admission
  readonly gate: Gate
  /** Who signed in to the console; absent where it is off. */
  readonly sessions: ConsoleSessions | undefined
  /** Signing in with the company's identity provider, where there is one. */
  readonly company: CompanySignIn | undefined
  readonly answering: Answering
  readonly services: Services
  readonly metrics: Metrics
  /** The server's name, as clients and /health see it. */
  readonly name: string
  readonly version: string
  /** Resolves to why no answer may leave; rejects when the store does not answer. */
  readonly ready: () => Promise<NotReady | undefined>
}
