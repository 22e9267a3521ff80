import type { ThreadWork } from '../../admission/threads.js'
import { type AskedShares, type Compared, comparePeriods } from '../../statistics/compare-periods.js'
import type { Comparison, Outcome } from '../../statistics/periods/look.js'
import type { Asker } from '../asker.js'

interface PanelTask {
  readonly comparison: Comparison
  readonly outcomes: readonly Outcome[]
  /** Number of the outcome that is looked at agent by agent too. */
  readonly byAgent: number | undefined
  readonly asked: AskedShares
}

const COMPARE_PANEL: ThreadWork<PanelTask, Compared> = { name: 'comparePanel', deadlineMs: 30_000 }

/** Numbers that are compared (some milliseconds) before a thread has heard of them. */
const FEW = 20_000

/** What a thread runs; see comparePeriods. */
export function comparePanel({ comparison, outcomes, byAgent, asked }: PanelTask): Compared {
  return comparePeriods(comparison, outcomes, byAgent, asked)
}

/** Compares apart from the thread that answers what would keep others waiting there. */
export async function comparedPanel(asker: Asker, task: PanelTask): Promise<Compared> {
  const { agents, columns } = task.comparison
  return agents * columns * task.outcomes.length <= FEW ? comparePanel(task) : await asker.apart(COMPARE_PANEL, task)
}
