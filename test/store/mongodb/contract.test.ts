import { describe } from 'vitest'
import { mongoStore, shardedStore } from '../../support/mongodb/mongo-store.js'
import { activityPromises } from '../contract/activity.js'
import { callPromises } from '../contract/calls.js'
import { promises } from '../contract/promises.js'
import { keeps } from '../contract/world.js'
import { isWhole } from '../../support/whole.js'

describe('a store over a server that speaks as MongoDB does', () => {
  keeps(mongoStore, ...promises)
})

/**
 * What a router refuses, and that what it asks lies on several shards: by the rules of `test/support/mongodb/mongos-rules.ts`. The suite tries
 * what lies in sharded collections.
 */
describe('a store over a router of a sharded cluster', () => {
  keeps(shardedStore, ...(isWhole ? promises : [activityPromises, callPromises]))
})
