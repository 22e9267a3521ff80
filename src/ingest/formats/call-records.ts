import type { Format } from './format.js'
import { cutJsonRecords, jsonTexts, readJsonRecords } from './json-records.js'
import { isMarked } from './shape/marks.js'

const MARKS = [['session_id', '!messages[].role'], ['created_dt'], ['transcript[].actor'], ['entry']]

/** Call records as JSON: one a line (NDJSON), an array, or one object however it is laid out. */
export const callRecords: Format = {
  name: 'call-records',
  title: 'call records, one JSON object a line, or a JSON array of them',
  page: {
    recognised: 'JSON objects with fields of the call record; JSON that is of no other format is read as such',
    documented: ['rest.md'],
    agent: '`transcript[].actor`',
    taken: 'everything: it is the form in which calls are kept',
    lost: 'nothing',
  },
  marks: MARKS,

  recognises({ shape, head, path }) {
    if (shape.size > 0) return isMarked(shape, MARKS)
    return head.trim() === '' && /\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i.test(path ?? '')
  },

  cut: cutJsonRecords,
  read: piece => readJsonRecords(piece),
  texts: jsonTexts,
}
