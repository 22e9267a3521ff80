import { double } from '../value.js'
import { compensatedSum } from '../accumulators/gatherings/compensated-sum.js'
import { failsWhen, firstFailure } from '../compile/fails.js'
import { bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { numberSql } from './number-sql.js'
import { type Curve, NEEDS_Y, needsX, rate } from './rate.js'

const NAME = '$integral'

/** The field sorted by and the input as numbers; `undefined` where the one or the other is none. */
function coordinates({ x, y, hasUnit }: Pick<Curve, 'x' | 'y' | 'hasUnit'>) {
  const along = x && (x.type.kind === 'date') === hasUnit ? numberSql(x) : undefined
  const up = y.type.kind === 'date' ? undefined : numberSql(y)
  return along && up && { along, up }
}

/** The areas between documents, of those in the window. */
function integralSql({ x, y, hasUnit, millis, window }: Curve): SqlExpression | undefined {
  const { before: area, holdsCurrent, steps, width } = window
  if (area === undefined || !holdsCurrent || (steps === undefined && width > 1)) return undefined
  const fails = firstFailure([
    y.fails,
    x === undefined || x.type.absent === 'never' ? undefined : failsWhen(sql`${x.sql} is null`, NAME, needsX(hasUnit)),
    y.type.absent === 'never' ? undefined : failsWhen(sql`${y.sql} is null`, NAME, NEEDS_Y),
  ])
  const exact = sql`fsum(${area.sql}) over ${steps ?? sql``}`
  const all = sql`coalesce(case when isfinite(${exact}) then ${exact} else sum(${area.sql}) over ${steps ?? sql``} end, 0)`
  return {
    // One document by itself has no area.
    sql: steps === undefined ? sql`0::double` : sql`(${all} / ${bind(millis, 'DOUBLE')})`,
    type: { kind: 'double', finite: false, absent: 'never' },
    ...(fails === undefined ? {} : { fails }),
  }
}

/** The area under a value over a window. */
export const integral = rate({
  name: NAME,
  doc: {
    form: '{ $integral: { input: <expression>, unit: <time unit> }, window: { … } }',
    meaning:
      'The area under the input over the window by the trapezoidal rule, in units of time where the field sorted by holds dates. 0 for a single document.',
    example: {
      documents: [
        { hour: 0, load: 2 },
        { hour: 2, load: 4 },
      ],
      pipeline: [{ $setWindowFields: { sortBy: { hour: 1 }, output: { area: { $integral: { input: '$load' } } } } }],
      result: [
        { hour: 0, load: 2, area: 6 },
        { hour: 2, load: 4, area: 6 },
      ],
    },
  },
  window: 'optional',
  sql: integralSql,
  before: (curve, ordered) => {
    const at = coordinates(curve)
    if (at === undefined) return undefined
    const { along, up } = at
    const [x0, y0] = [sql`lag(${along}) over ${ordered}`, sql`lag(${up}) over ${ordered}`]
    return {
      sql: sql`((${y0} + ${up}) * (${along} - ${x0}) / 2)`,
      type: { kind: 'double', finite: false, absent: 'null' },
    }
  },
  value: (point, from, to, millis) => {
    if (from === to) return null
    const area = compensatedSum()
    let before = point(from)
    for (let place = from + 1; place < to; place += 1) {
      const next = point(place)
      area.add(((before.y + next.y) * (next.x - before.x)) / 2)
      before = next
    }
    return double(area.result() / millis)
  },
})
