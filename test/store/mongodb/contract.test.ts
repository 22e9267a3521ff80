import { describe } from 'vitest'
import { mongoStore } from '../../support/mongodb/mongo-store.js'
import { keyPromises, projectPromises, signInPromises } from '../contract/access.js'
import { activityPromises } from '../contract/activity.js'
import { callPromises } from '../contract/calls.js'
import { countPromises } from '../contract/counts.js'
import {
  answerPromises,
  batchPromises,
  knowledgePromises,
  reportPromises,
  rubricPromises,
} from '../contract/documents.js'
import { feedbackPromises, notedPromises, outboxPromises } from '../contract/events.js'
import { approvalPromises, holdPromises } from '../contract/privacy.js'
import { leasePromises, turnPromises, versionPromises } from '../contract/sharing.js'
import { alertShelf, inboundShelf, mappingShelf, takenPromises, teamShelf, webhookShelf } from '../contract/shelves.js'
import { taskPromises } from '../contract/tasks.js'
import { keeps } from '../contract/world.js'

describe('a store over a server that speaks as MongoDB does', () => {
  keeps(
    mongoStore,
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
  )
})
