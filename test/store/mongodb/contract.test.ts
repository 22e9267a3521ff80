import { describe } from 'vitest'
import { mongoStore } from '../../support/mongodb/mongo-store.js'
import { callPromises } from '../contract/calls.js'
import { approvalPromises, holdPromises } from '../contract/privacy.js'
import { keeps } from '../contract/world.js'

describe('calls over a server that speaks as MongoDB does', () => {
  keeps(mongoStore, callPromises, holdPromises, approvalPromises)
})
