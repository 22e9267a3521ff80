import { describe, expect, test } from 'vitest'
import { readPipeline } from '../../src/questions/read-pipeline.js'

/** What of a text is no JSON, and what the refusal says: where it breaks, and what to write there. */
const broken: readonly (readonly [string, string, string])[] = [
  ['a comma too many', '[{"$limit": 1},]', 'at line 1, column 16, "]": the comma before it is one too many'],
  ['a comma too many in an object', '[\n  {"$limit": 1,}\n]', 'at line 2, column 16, "}\\n]": the comma before it'],
  [
    'single quotes',
    "[{'$limit': 1}]",
    'at line 1, column 3, "\'$limit\': 1}]": names and texts stand in double quotes',
  ],
  [
    'names without quotes',
    '[{$limit: 1}]',
    'at line 1, column 3, "$limit: 1}]": names and texts stand in double quotes',
  ],
  [
    'ISODate',
    '[{"$match": {"created_dt": {"$gte": ISODate("2026-03-01")}}}]',
    'at line 1, column 37, "ISODate(\\"2026-03-01\\"…": a date is written {"$date": "2026-03-01"}',
  ],
  [
    'new Date',
    '[{"$set": {"x": new Date()}}]',
    'column 17, "new Date()}}]": a date is written {"$date": "2026-03-01"}',
  ],
  [
    'a call of aggregate',
    'db.calls.aggregate([{"$limit": 1}])',
    'at line 1, column 1, "db.calls.aggregate([…": give the array alone, without the call around it',
  ],
  ['the words of Python', '[{"$match": {"a": None}}]', '"None}}]": JSON has true, false and null'],
  ['a pattern', '[{"$match": {"title": /refund/i}}]', 'a pattern is written {"$regex": "refund", "$options": "i"}'],
  ['a text that breaks off', '[{"$count":', 'it breaks off at its end, line 1, column 12'],
  ['something after it', '[{"$limit": 1}] please', 'at line 1, column 17, "please"; give an array of stages'],
  ['more levels than can be read', '['.repeat(65_000), 'is a text and no JSON array; give an array of stages'],
  ['JSON that is no array', '{"$limit": 1}', 'is a text and no JSON array; give an array of stages'],
]

describe('a pipeline as a text', () => {
  test.each(broken)('%s', (_, text, sentence) => {
    expect(() => readPipeline(text)).toThrow(sentence)
    expect(() => readPipeline(text)).toThrow(/^pipeline: is a text and no JSON array[:;] /)
  })

  test('that is JSON is read', () => {
    expect(readPipeline(' [{"$limit": 1}] ')).toEqual([{ $limit: 1 }])
  })
})
