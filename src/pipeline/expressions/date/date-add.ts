import { addToDate } from './add-to-date.js'

/** A date some units later. */
export const dateAdd = addToDate('$dateAdd', {
  form: '{ $dateAdd: { startDate, unit, amount, timezone } }',
  meaning:
    'The date so many units later; the day is cut to the last of a shorter month. From days on the time of day in the time zone stays the same across changes of the clock. Null and missing give null.',
  example: {
    expression: { $dateAdd: { startDate: '$created_dt', unit: 'month', amount: 1 } },
    document: { created_dt: { $date: '2026-01-31T10:00:00Z' } },
    result: { $date: '2026-02-28T10:00:00.000Z' },
  },
})
