import { describe } from 'vitest'
import { mongoStore, shardedStore } from '../../support/mongodb/mongo-store.js'
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

const promises = [
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

describe('a store over a server that speaks as MongoDB does', () => {
  keeps(mongoStore, ...promises)
})

/** What a router refuses, and that what it asks lies on several shards: by the rules of `test/support/mongodb/mongos-rules.ts`. */
describe('a store over a router of a sharded cluster', () => {
  keeps(shardedStore, ...promises)
})
