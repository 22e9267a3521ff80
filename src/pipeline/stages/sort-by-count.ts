import { adviseList } from '../advise-list.js'
import { expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { isOperatorObject } from '../is-operator-object.js'
import { Refusal } from '../refusal.js'
import { groupStage, shapeOfGroups } from './group.js'
import { outputsOrCount } from './outputs.js'
import { shapeOf } from './shape-of.js'
import { sortStage } from './sort.js'
import type { StageDefinition } from './stage-definition.js'
import { readBy } from '../fields-read.js'

/** How often each value occurs, the most frequent first. */
export const sortByCount: StageDefinition = {
  name: '$sortByCount',
  doc: {
    form: '{ $sortByCount: <expression> }',
    meaning: 'How many documents have each value of the expression, the most frequent value first.',
    example: {
      documents: [{ reason: 'billing' }, { reason: 'delivery' }, { reason: 'billing' }],
      pipeline: [{ $sortByCount: '$reason' }],
      result: [
        { _id: 'billing', count: 2 },
        { _id: 'delivery', count: 1 },
      ],
    },
  },
  parse: (json, context) => {
    if (!(typeof json === 'string' && json.startsWith('$')) && !isOperatorObject(json)) {
      throw new Refusal(
        context.where,
        '$sortByCount takes a field such as "$channel", or an expression with an operator',
      )
    }
    const expression = parseExpression(json, context)
    adviseList(json, context)
    const outputs = outputsOrCount(undefined, context)
    const grouping = groupStage(expression, outputs)
    const sorting = sortStage([{ path: ['count'], descending: true }])
    return {
      stage: {
        name: '$sortByCount',
        run: (documents, environment) => sorting.run(grouping.run(documents, environment), environment),
        order: 'free',
        compile: (relation, compile) => {
          const grouped = grouping.compile(relation, compile)
          return grouped && sorting.compile(grouped, compile.over(grouped))
        },
        reads: () => readBy([expression]),
        toJson: () => ({ $sortByCount: expressionToJson(expression) }),
      },
      shape: shapeOfGroups(shapeOf(expression, context), outputs, context),
    }
  },
}
