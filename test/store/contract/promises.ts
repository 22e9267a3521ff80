import { keyPromises, projectPromises, signInPromises } from './access.js'
import { activityPromises } from './activity.js'
import { callPromises } from './calls.js'
import { countPromises } from './counts.js'
import { answerPromises, batchPromises, knowledgePromises, reportPromises, rubricPromises } from './documents.js'
import { feedbackPromises, notedPromises, outboxPromises } from './events.js'
import { approvalPromises, holdPromises } from './privacy.js'
import { leasePromises, turnPromises, versionPromises } from './sharing.js'
import { alertShelf, inboundShelf, mappingShelf, takenPromises, teamShelf, webhookShelf } from './shelves.js'
import { taskPromises } from './tasks.js'

/** What every store promises, whichever it is. */
export const promises = [
  keyPromises,
  projectPromises,
  signInPromises,
  teamShelf,
  webhookShelf,
  alertShelf,
  mappingShelf,
  inboundShelf,
  takenPromises,
  activityPromises,
  callPromises,
  countPromises,
  holdPromises,
  approvalPromises,
  outboxPromises,
  notedPromises,
  feedbackPromises,
  taskPromises,
  knowledgePromises,
  rubricPromises,
  answerPromises,
  batchPromises,
  reportPromises,
  leasePromises,
  turnPromises,
  versionPromises,
] as const
