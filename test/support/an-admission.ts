import type { SharedLimits } from '../../src/admission/shared-limits.js'
import { Admission, type AdmissionSettings } from '../../src/admission/admission.js'

/** An admission with room enough, where a test sets nothing else. */
export function anAdmission(settings: Partial<AdmissionSettings> = {}, shared?: SharedLimits): Admission {
  const whole = {
    maxWaitingQuestions: 64,
    maxWaitingQuestionsPerKey: 32,
    maxImportLineBytes: 1024 * 1024,
    requestsPerMinute: 600,
    maxSessions: 1_000,
    maxSessionsPerKey: 100,
    maxBodyBytes: 1_048_576,
    maxBodyBytesUnderWay: 128 * 1_048_576,
    ...settings,
  }
  return new Admission(whole, shared)
}
