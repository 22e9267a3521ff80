import { foundDocuments, regexOperator } from './regex-operator.js'

export const regexFind = regexOperator({
  name: '$regexFind',
  doc: {
    form: '{ $regexFind: { input: <string>, regex: <pattern>, options: <i, m, s, x> } }',
    meaning:
      'The first match of a pattern as {match, idx, captures}: its text, where it begins in characters, its groups; null when there is none and for null and missing.',
    example: {
      expression: { $regexFind: { input: '$title', regex: 'order ([0-9]+)' } },
      document: { title: 'Where is order 66?' },
      result: { match: 'order 66', idx: 9, captures: ['66'] },
    },
  },
  absent: null,
  evaluate: (text, pattern) => {
    for (const found of foundDocuments(text, pattern.matches(text))) return found
    return null
  },
})
