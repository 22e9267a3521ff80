import { double } from '../value.js'
import { failsWhenAmong, firstFailure } from '../compile/fails.js'
import { bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { numberSql } from './number-sql.js'
import { type Curve, NEEDS_Y, needsX, rate } from './rate.js'

const NAME = '$derivative'

/** By the first and the last document of the window, which holds one at least. */
function derivativeSql({ x, y, hasUnit, millis, window }: Curve): SqlExpression | undefined {
  const { framed, holdsCurrent } = window
  const run = x && (x.type.kind === 'date') === hasUnit ? numberSql(x) : undefined
  const rise = y.type.kind === 'date' ? undefined : numberSql(y)
  if (run === undefined || rise === undefined || framed === undefined || !holdsCurrent) return undefined
  const [x0, x1] = [sql`first_value(${run}) over ${framed}`, sql`last_value(${run}) over ${framed}`]
  const [y0, y1] = [sql`first_value(${rise}) over ${framed}`, sql`last_value(${rise}) over ${framed}`]
  const fails = firstFailure([
    y.fails,
    x?.type.absent === 'never' ? undefined : failsWhenAmong(sql`${x0} is null or ${x1} is null`, NAME, needsX(hasUnit)),
    y.type.absent === 'never' ? undefined : failsWhenAmong(sql`${y0} is null or ${y1} is null`, NAME, NEEDS_Y),
  ])
  return {
    sql: sql`(case when ${x1} - ${x0} <> 0 then (${y1} - ${y0}) / (${x1} - ${x0}) * ${bind(millis, 'DOUBLE')} end)`,
    type: { kind: 'double', finite: false, absent: 'null' },
    ...(fails === undefined ? {} : { fails }),
  }
}

/** How fast a value changes over a window. */
export const derivative = rate({
  name: NAME,
  doc: {
    form: '{ $derivative: { input: <expression>, unit: <time unit> }, window: { … } }',
    meaning:
      'The mean rate of change over the window: the difference of its last and first input by the difference of the field sorted by, per unit where that holds dates. Null where the difference is 0.',
    example: {
      documents: [
        { at: { $date: '2026-03-01T00:00:00Z' }, open: 10 },
        { at: { $date: '2026-03-01T02:00:00Z' }, open: 16 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            sortBy: { at: 1 },
            output: { perHour: { $derivative: { input: '$open', unit: 'hour' }, window: { documents: [-1, 0] } } },
          },
        },
        { $project: { open: 1, perHour: 1 } },
      ],
      result: [
        { open: 10, perHour: null },
        { open: 16, perHour: 3 },
      ],
    },
  },
  window: 'required',
  sql: derivativeSql,
  value: (point, from, to, millis) => {
    if (from === to) return null
    const first = point(from)
    const last = point(to - 1)
    const run = last.x - first.x
    return run === 0 ? null : double(((last.y - first.y) / run) * millis)
  },
})
