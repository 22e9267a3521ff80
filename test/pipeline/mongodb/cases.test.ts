import { testCases } from '../../support/test-cases.js'

await testCases('mongodb')
