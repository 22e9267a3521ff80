import { benjaminiHochberg } from '../../src/statistics/benjamini-hochberg.js'
import type { Comparison, Outcome } from '../../src/statistics/periods/look.js'
import { studentP } from '../../src/statistics/student.js'
import type { World } from './world.js'

/** What stands beside the tests of this project: the same calls as if each were independent of all others. */
export interface PooledTest {
  readonly q: number
  /** Nothing is withheld. */
  readonly teamQ: number
}

/** Two proportions and Welch's t over all calls, whoever took them: what a textbook does, and what was done before. */
export function pooledTests({ comparison, outcomes, byAgent }: World): readonly (PooledTest | undefined)[] {
  const { agents } = comparison
  const everyone = Array.from({ length: agents }, (_, g) => g)
  const ps = [
    ...outcomes.map(outcome => pOf(comparison, outcome, everyone)),
    ...everyone.map(g => pOf(comparison, outcomes[byAgent]!, [g])),
  ]
  const qs = benjaminiHochberg(ps.filter(p => p !== undefined))
  let at = 0
  return ps.map(p => (p === undefined ? undefined : { q: qs[at++]!, teamQ: 0 }))
}

function pOf({ columns, present }: Comparison, outcome: Outcome, agents: readonly number[]): number | undefined {
  const side = (column: number) => {
    let [n, sum, squares] = [0, 0, 0]
    for (const g of agents) {
      const at = g * columns + column
      n += outcome.calls[at]!
      sum += outcome.sums[at]!
      squares += outcome.squares[at]!
    }
    return { n, sum, mean: sum / n, variance: (squares - sum ** 2 / n) / (n - 1) }
  }
  const [a, b] = [side(present.now), side(present.before)]
  if (outcome.kind === 'share') {
    if (Math.max(a.sum, b.sum) < 5) return undefined
    const p = (a.sum + b.sum) / (a.n + b.n)
    if (p <= 0 || p >= 1) return undefined
    return studentP((a.mean - b.mean) / Math.sqrt(p * (1 - p) * (1 / a.n + 1 / b.n)), Infinity)
  }
  if (Math.min(a.n, b.n) < 5) return undefined
  const [va, vb] = [a.variance / a.n, b.variance / b.n]
  return studentP((a.mean - b.mean) / Math.sqrt(va + vb), (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1)))
}
