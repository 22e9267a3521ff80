import { boundedLength } from '../bounded.js'
import { foundDocuments, regexOperator } from './regex-operator.js'
import type { Value } from '../../value.js'

export const regexFindAll = regexOperator({
  name: '$regexFindAll',
  doc: {
    form: '{ $regexFindAll: { input: <string>, regex: <pattern>, options: <i, m, s, x> } }',
    meaning:
      'Every match of a pattern as {match, idx, captures}, in order and without overlap; [] for null and missing.',
    example: {
      expression: { $regexFindAll: { input: '$title', regex: '[0-9]+' } },
      document: { title: '1 of 12' },
      result: [
        { match: '1', idx: 0, captures: [] },
        { match: '12', idx: 5, captures: [] },
      ],
    },
  },
  absent: [],
  evaluate: (text, pattern) => {
    const all: Value[] = []
    for (const found of foundDocuments(text, pattern.matches(text))) {
      boundedLength('$regexFindAll', all.length)
      all.push(found)
    }
    return all
  },
})
