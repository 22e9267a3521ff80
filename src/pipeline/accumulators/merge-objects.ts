import { wrongType } from '../expressions/wrong-type.js'
import { type Document, isDocument } from '../value.js'
import { ofValues } from './of-values.js'

/** The documents laid over one another. */
export const mergeObjects = ofValues({
  name: '$mergeObjects',
  doc: {
    form: '{ $mergeObjects: <document> }',
    meaning:
      'One document with the fields of all; of two with one name the later value counts. Null and missing add nothing, what is no document is an error.',
    example: {
      accumulator: { $mergeObjects: '$d' },
      documents: [{ d: { a: 1, b: 1 } }, { d: { b: 2 } }],
      result: { a: 1, b: 2 },
    },
  },
  start: () => {
    const fields = new Map<string, Document[string]>()
    return {
      add: value => {
        if (value === undefined || value === null) return
        if (!isDocument(value)) throw wrongType('$mergeObjects', 'documents', value)
        for (const [name, field] of Object.entries(value)) fields.set(name, field)
      },
      result: () => Object.fromEntries(fields),
    }
  },
})
