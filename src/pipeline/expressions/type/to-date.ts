import { conversion } from './conversion.js'

export const toDate = conversion('$toDate', 'date', {
  form: '{ $toDate: <expression> }',
  meaning:
    'The value as a date: an ISO 8601 string, or milliseconds since 1970 as a long or a double. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toDate: '2026-03-01' }, result: { $date: '2026-03-01T00:00:00.000Z' } },
})
