import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapFields, objectOf } from '../../src/base/fields.js'

const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a', '1', '0'))
const fields = fc.array(fc.tuple(name, fc.jsonValue()))

/** Names in their order with values, as JSON does not tell of `__proto__`. */
const entries = (object: object) => Object.entries(object)

test('an object made field by field is the one that Object.fromEntries makes', () => {
  fc.assert(
    fc.property(fields, some => {
      const made = objectOf(some)
      expect(entries(made)).toEqual(entries(Object.fromEntries(some)))
      expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
    }),
  )
})

test('a mapped object has the same names in the same order, and is told them', () => {
  fc.assert(
    fc.property(fields, some => {
      const object = objectOf(some)
      const mapped = mapFields(object, (value, of) => [of, value])
      expect(entries(mapped)).toEqual(entries(object).map(([of, value]) => [of, [of, value]]))
      expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype)
    }),
  )
})
