import { eager } from '../eager.js'
import { readPlaces } from '../read-places.js'
import { wrongType } from '../wrong-type.js'

/** Where a text is found in another, by bytes. */
export const indexOfBytes = eager({
  name: '$indexOfBytes',
  doc: {
    form: '{ $indexOfBytes: [<string>, <substring>, <start>, <end>] }',
    meaning:
      'The index in bytes of UTF-8, from 0, at which the substring first stands, looking from start up to but not including end; -1 when it does not. A null or missing string gives null.',
    example: { expression: { $indexOfBytes: ['$word', 'l'] }, document: { word: 'été là' }, result: 6 },
  },
  arity: [2, 4],
  evaluate: (text, part, ...places) => {
    if (text === undefined || text === null) return null
    if (typeof text !== 'string' || typeof part !== 'string') {
      throw wrongType('$indexOfBytes', 'strings', typeof text === 'string' ? part : text)
    }
    const bytes = Buffer.from(text, 'utf8')
    const [start, end] = readPlaces('$indexOfBytes', places, bytes.length)
    if (start > bytes.length || end < start) return -1
    return bytes.subarray(0, end).indexOf(Buffer.from(part, 'utf8'), start)
  },
})
