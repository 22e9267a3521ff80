import { firstTables } from './001-first-tables.js'
import { activity } from './002-activity.js'
import { knowledge } from './003-knowledge.js'
import { tasks } from './004-tasks.js'
import { events } from './005-events.js'
import { storePosition } from './006-store-position.js'
import { rubrics } from './007-rubrics.js'
import { reports } from './008-reports.js'
import { modelAnswers } from './009-model-answers.js'
import { writeNumbers } from './010-write-numbers.js'
import { importedEvaluations } from './011-imported-evaluations.js'
import { oauth } from './012-oauth.js'
import { liftFits } from './013-lift-fits.js'
import { teams } from './014-teams.js'
import { feedbackSubjects } from './015-feedback-subjects.js'
import { holds } from './016-holds.js'
import { recordings } from './017-recordings.js'
import { imports } from './018-imports.js'
import { dailyCounts } from './019-daily-counts.js'
import { approvals } from './020-approvals.js'
import { countedAnew } from './021-counted-anew.js'
import { modelBatches } from './022-model-batches.js'
import { searchWithoutAccents } from './023-search-without-accents.js'
import { countsOfBlocks } from './024-counts-of-blocks.js'
import { words } from './025-words.js'
import { countsOfEffects } from './026-counts-of-effects.js'
import { countsInLists } from './027-counts-in-lists.js'
import { sessionIndex } from './028-session-index.js'
import { countsOfOpenDays } from './029-counts-of-open-days.js'
import type { Migration } from './migration.js'

/** Every step there ever was, oldest first. */
export const migrations: readonly Migration[] = [
  firstTables,
  activity,
  knowledge,
  tasks,
  events,
  storePosition,
  rubrics,
  reports,
  modelAnswers,
  writeNumbers,
  importedEvaluations,
  oauth,
  liftFits,
  teams,
  feedbackSubjects,
  holds,
  recordings,
  imports,
  dailyCounts,
  approvals,
  countedAnew,
  modelBatches,
  searchWithoutAccents,
  countsOfBlocks,
  words,
  countsOfEffects,
  countsInLists,
  sessionIndex,
  countsOfOpenDays,
]
