import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { eager } from '../eager.js'
import { readPlaces } from '../read-places.js'
import { wrongType } from '../wrong-type.js'
import { codePoints, unitIndex } from './code-points.js'

/** Where a text is found in another, by characters. */
export const indexOfCp = eager({
  name: '$indexOfCP',
  doc: {
    form: '{ $indexOfCP: [<string>, <substring>, <start>, <end>] }',
    meaning:
      'The index in characters (code points), from 0, at which the substring first stands, looking from start up to but not including end; -1 when it does not. A null or missing string gives null.',
    example: { expression: { $indexOfCP: ['$word', 'l'] }, document: { word: 'hello' }, result: 2 },
  },
  arity: [2, 4],
  evaluate: (text, part, ...places) => {
    if (text === undefined || text === null) return null
    if (typeof text !== 'string' || typeof part !== 'string') {
      throw wrongType('$indexOfCP', 'strings', typeof text === 'string' ? part : text)
    }
    const length = codePoints(text)
    const [start, end] = readPlaces('$indexOfCP', places, length)
    if (start > length || end < start) return -1
    const found = text.slice(0, unitIndex(text, end)).indexOf(part, unitIndex(text, start))
    return found === -1 ? -1 : codePoints(text.slice(0, found))
  },
  sql: ([text, part, ...places]) => {
    if (text === undefined || part?.type.kind !== 'string' || part.type.absent !== 'never' || places.length > 0) {
      return undefined
    }
    const taken = take([text], { operator: '$indexOfCP', wanted: 'string', wants: 'strings', nulls: 'null' })
    const whole = taken?.operands[0]
    return taken && whole && given(taken, sql`(instr(${whole.sql}, ${part.sql}) - 1)`, { kind: 'int', bits: 31 })
  },
})
