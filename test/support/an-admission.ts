import { Admission, type AdmissionSettings } from '../../src/admission/admission.js'

/** An admission with room enough, where a test sets nothing else. */
export function anAdmission(settings: Partial<AdmissionSettings> = {}): Admission {
  const room = { maxWaitingQuestions: 64, maxWaitingQuestionsPerKey: 32, maxImportLineBytes: 1024 * 1024 }
  return new Admission({ ...room, ...settings })
}
