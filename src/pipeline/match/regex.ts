import { advisePattern } from '../advise-pattern.js'
import { Refusal } from '../refusal.js'
import { adviseSearched } from './advise-operand.js'
import type { LeafOperator } from './leaf-operator.js'
import { readRegex } from './read-regex.js'
import { regexLeaf } from './regex-leaf.js'

/** A pattern found in a string; numbers never match, arrays are walked. */
export const regex: LeafOperator = {
  name: '$regex',
  doc: {
    form: '{ <field>: { $regex: <pattern>, $options: <i, m, s, x> } }',
    meaning:
      'Strings in which the pattern is found. Patterns are those of RE2: no look-around, no back-references. Options: i ignores case, m lets ^ and $ match at lines, s lets . match line ends, x ignores blanks and comments.',
    example: {
      documents: [{ title: 'Late delivery' }, { title: 'Billing' }],
      pipeline: [{ $match: { title: { $regex: '^late', $options: 'i' } } }],
      result: [{ title: 'Late delivery' }],
    },
  },
  parse: (argument, context) => {
    const { where } = context.parse
    const literal = readRegex(argument)
    const source = literal?.source ?? argument
    const options = context.siblings['$options'] ?? literal?.options ?? ''
    if (typeof source !== 'string') throw new Refusal(where, '$regex takes a string')
    if (typeof options !== 'string') throw new Refusal(where, '$options takes a string of i, m, s and x')
    adviseSearched(context.path, context.parse)
    if (literal === undefined) advisePattern(source, context.parse, ['$regex', '$options'])
    return regexLeaf({ source, options }, context)
  },
}
