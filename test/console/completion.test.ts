import { expect, test } from 'vitest'
import { completed, completionAt, type Names } from '../../console/screens/explore/completion.js'

const known: Names = {
  stages: ['$facet', '$group', '$match', '$unset'],
  matching: ['$eq', '$gt'],
  accumulators: ['$avg', '$sum'],
  expressions: ['$add', '$sum', '$toUpper'],
  fields: ['score', 'signals', 'signals.key'],
}

/** What is offered where a | stands. */
const offered = (text: string) => completionAt(text.replace('|', ''), text.indexOf('|'), known)?.names

test.each([
  ['a stage', '[{"$|"}]', ['$facet', '$group', '$match', '$unset']],
  ['a stage after others', '[{"$match": {}}, {"$G|', ['$group']],
  ['a stage of a facet', '[{"$facet": {"a": [{"$ma|"}]}}]', ['$match']],
  ['a field that is matched', '[{"$match": {"sco|"}}]', ['score']],
  ['one beneath $or', '[{"$match": {"$or": [{"sig|"}]}}]', ['signals', 'signals.key']],
  ['what it is matched by', '[{"$match": {"score": {"$g|"}}}]', ['$gt']],
  ['an expression in $match', '[{"$match": {"$expr": {"$to|"}}}]', ['$toUpper']],
  ['an accumulator', '[{"$group": {"_id": null, "n": {"$|"}}}]', ['$avg', '$sum']],
  ['an expression of a group', '[{"$group": {"_id": {"$|"}}}]', ['$add', '$sum', '$toUpper']],
  ['an expression in an accumulator', '[{"$group": {"_id": null, "n": {"$sum": {"$a|"}}}}]', ['$add']],
  ['a field of an expression', '[{"$group": {"_id": "$sig|"}}]', ['$signals', '$signals.key']],
  ['a field that goes', '[{"$unset": "sc|"}]', ['score']],
  ['text', '[{"$match": {"agent_name": "sco|"}}]', undefined],
  ['the name of an answer’s own', '[{"$group": {"sco|"}}]', undefined],
  ['what is behind a name', '[{"$match"|: {}}]', undefined],
  ['no pipeline', '|', undefined],
])('completes %s', (_, text, names) => {
  expect(offered(text)).toEqual(names)
})

test.each([
  ['[{"$ma|', '$match', '[{"$match": |'],
  ['[{"$ma|"}]', '$match', '[{"$match": |}]'],
  ['[{"$ma|x": {}}]', '$match', '[{"$match"|: {}}]'],
  ['[{"$group": {"_id": "$sco|"}}]', '$score', '[{"$group": {"_id": "$score"|}}]'],
])('a name that is taken of %s stands there whole', (text, name, then) => {
  const until = text.indexOf('|')
  const made = completed(text.replace('|', ''), completionAt(text.replace('|', ''), until, known)!, name)
  expect(`${made.text.slice(0, made.caret)}|${made.text.slice(made.caret)}`).toBe(then)
})
