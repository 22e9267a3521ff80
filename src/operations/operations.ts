import { alertOperations } from './alerts.js'
import { approvalOperations } from './approvals.js'
import { questionOperations } from './ask-questions.js'
import { connectionOperations } from './connections.js'
import { eraseCall } from './erase-call.js'
import { evaluationOperations } from './evaluation.js'
import { exportProject, exportTable } from './export-calls.js'
import { feedbackOperations } from './feedback.js'
import { healthOperations } from './health.js'
import { inboundOperations } from './inbound-webhooks.js'
import { explainTranscript, importProject, importTranscript } from './import-calls.js'
import { keyOperations } from './keys.js'
import { knowledgeOperations } from './knowledge-base.js'
import { maintenanceOperations } from './maintenance.js'
import { mappingOperations } from './mappings.js'
import type { Operation } from './operation.js'
import { privacyOperations } from './privacy.js'
import { projectOperations } from './projects.js'
import { readCallsInBulk } from './read-in-bulk.js'
import { getRecording } from './recordings.js'
import { redactProject } from './redact.js'
import { rubricOperations } from './rubrics.js'
import { socketImportOperations } from './socket-import.js'
import { taskOperations } from './tasks.js'
import { teamOperations } from './teams.js'
import { webhookOperations } from './webhooks.js'

/** Everything that can be asked of the service but its tools: what listeners, the control socket and commands serve. */
export const operations: readonly Operation[] = [
  ...webhookOperations,
  ...inboundOperations,
  ...mappingOperations,
  ...alertOperations,
  ...feedbackOperations,
  ...questionOperations,
  ...knowledgeOperations,
  exportProject,
  exportTable,
  readCallsInBulk,
  getRecording,
  eraseCall,
  ...privacyOperations,
  ...rubricOperations,
  importProject,
  importTranscript,
  explainTranscript,
  ...taskOperations,
  ...keyOperations,
  ...connectionOperations,
  ...teamOperations,
  ...approvalOperations,
  ...projectOperations,
  ...healthOperations,
  ...evaluationOperations,
  ...maintenanceOperations,
  redactProject,
  ...socketImportOperations,
]
