import { addToDate } from './add-to-date.js'

/** A date some units earlier. */
export const dateSubtract = addToDate('$dateSubtract', {
  form: '{ $dateSubtract: { startDate, unit, amount, timezone } }',
  meaning:
    'The date so many units earlier; the day is cut to the last of a shorter month. From days on the time of day in the time zone stays the same across changes of the clock. Null and missing give null.',
  example: {
    expression: { $dateSubtract: { startDate: '$created_dt', unit: 'month', amount: 1 } },
    document: { created_dt: { $date: '2026-01-31T10:00:00Z' } },
    result: { $date: '2025-12-31T10:00:00.000Z' },
  },
})
