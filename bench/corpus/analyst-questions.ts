import { agents } from './agents.js'
import type { AnalystQuestion } from './analyst-question.js'
import { cohorts } from './cohorts.js'
import { counts } from './counts.js'
import { distributions } from './distributions.js'
import { metadata } from './metadata.js'
import { reports } from './reports.js'
import { signals } from './signals.js'
import { talk } from './talk.js'
import { texts } from './texts.js'
import { trends } from './trends.js'

/** What `$$NOW` is in these questions: the generated calls end there. */
export const now = new Date('2026-11-21T00:00:00Z')

/** Questions that analysts ask, over calls as `earshot generate` makes them. */
export const analystQuestions: readonly AnalystQuestion[] = [
  ...counts,
  ...trends,
  ...agents,
  ...distributions,
  ...signals,
  ...talk,
  ...texts,
  ...cohorts,
  ...metadata,
  ...reports,
]
