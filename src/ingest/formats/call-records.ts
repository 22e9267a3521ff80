import type { Format } from './format.js'
import { cutJsonRecords, readJsonRecords } from './json-records.js'

/** Call records as JSON: one a line (NDJSON), an array, or one object however it is laid out. */
export const callRecords: Format = {
  name: 'call-records',
  title: 'call records, one JSON object a line, or a JSON array of them',

  recognises({ head, path }) {
    const first = head.trimStart().charAt(0)
    return first === '{' || first === '[' || /\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i.test(path ?? '')
  },

  cut: cutJsonRecords,
  read: piece => readJsonRecords(piece),
}
