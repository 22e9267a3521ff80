import type { TaskKind } from '../task-kind.js'
import { changeReport } from './change-report.js'
import { evaluatePending } from './evaluate-pending.js'
import { importFolder } from './import-folder.js'
import { knowledgeBaseRefresh } from './knowledge-base-refresh.js'
import { liftRefit } from './lift-refit.js'
import { retention } from './retention.js'
import { webhookDigest } from './webhook-digest.js'

/** Every kind of task there is: the list that tasks choose from. A new kind is a file and a line here. */
export const kinds: readonly TaskKind[] = [
  changeReport,
  importFolder,
  retention,
  knowledgeBaseRefresh,
  webhookDigest,
  evaluatePending,
  liftRefit,
]
