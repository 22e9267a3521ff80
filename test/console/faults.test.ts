import { expect, test } from 'vitest'
import { faultsOf } from '../../console/screens/settings/faults.js'
import { keyFields } from '../../console/screens/settings/forms.js'
import { newKey } from '../../src/access/key-fields.js'
import { parseInput } from '../../src/base/parse-input.js'
import { Problem } from '../../src/base/problem.js'

/** What the service says of a key that somebody would make. */
function faults(given: object) {
  try {
    parseInput(newKey, given, 'field')
  } catch (error) {
    if (error instanceof Problem) return faultsOf(error.details, keyFields, { ...given })
    throw error
  }
  throw new Error('It is right')
}

test('what the service says of a field stands beside it, without the name that the API has for it', () => {
  expect(faults({ name: 'Lead', requests_per_minute: 0 })).toEqual({
    placed: [{ name: 'requests_per_minute', place: undefined, why: 'Must be between 1 and 100000, not 0' }],
    areAll: true,
  })
})

test('of a list it is said which entry', () => {
  expect(faults({ name: 'Lead', allowed_networks: ['192.0.2.0/24', '192.0.2.300'] }).placed).toEqual([
    {
      name: 'allowed_networks',
      place: '192.0.2.300',
      why: 'Must be an address or a network, such as 192.0.2.0/24',
    },
  ])
})

test('what is of no field of the form is not all said beside them', () => {
  expect(faults({ name: '', color: 'red' })).toMatchObject({ placed: [{ name: 'name' }], areAll: false })
  expect(faultsOf([], keyFields, {})).toEqual({ placed: [], areAll: false })
})
