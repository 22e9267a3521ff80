import { coverage, type Coverage, type Team } from './coverage.js'
import { liftCell as liftFound, type LiftCell, type LiftFound } from './lift.js'
import { pooledTests } from './pooled-tests.js'
import { falseAlarms, power, type FalseAlarms, type NullCell, type PowerCell } from './run-cell.js'

/** What a worker thread runs. */
export const nullCell = ({ cell, method }: { cell: NullCell; method: 'within' | 'pooled' }): FalseAlarms =>
  method === 'pooled' ? falseAlarms(cell, pooledTests) : falseAlarms(cell)

/** Power of the tests, and of pooled ones. */
export const powerCell = ({ cell }: { cell: PowerCell }): [now: number, pooled: number] => [
  power(cell),
  power(cell, pooledTests),
]

/** How often intervals hold. */
export const coverageCell = ({
  kind,
  team,
  at,
}: {
  kind: string
  team: Team
  at: Parameters<typeof coverage>[2]
}): Coverage => coverage(kind, team, at)

/** What lift says. */
export const liftCell = ({ cell }: { cell: LiftCell }): LiftFound => liftFound(cell)
