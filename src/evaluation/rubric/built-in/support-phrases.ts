import { confirmationPhrases } from './support-phrases/confirmation-phrases.js'
import { escalationPhrases } from './support-phrases/escalation-phrases.js'
import { furtherHelpPhrases } from './support-phrases/further-help-phrases.js'
import { identityPhrases } from './support-phrases/identity-phrases.js'
import { nextStepPhrases } from './support-phrases/next-step-phrases.js'
import { refusalPhrases } from './support-phrases/refusal-phrases.js'
import { repeatContactPhrases } from './support-phrases/repeat-contact-phrases.js'
import { repeatRequestPhrases } from './support-phrases/repeat-request-phrases.js'
import { resolutionPhrases } from './support-phrases/resolution-phrases.js'

/** Phrases of support calls, by the name the default rubric's rules give them. */
export const supportPhrases = {
  ...repeatRequestPhrases,
  ...identityPhrases,
  ...resolutionPhrases,
  ...refusalPhrases,
  ...confirmationPhrases,
  ...nextStepPhrases,
  ...furtherHelpPhrases,
  ...repeatContactPhrases,
  ...escalationPhrases,
} as const
