import type { Resource } from '../resource.js'
import { callTranscript } from './call-transcript.js'
import { projectGuidance } from './project-guidance.js'
import { projectRubric } from './project-rubric.js'
import { projectSchema } from './project-schema.js'
import { projectScope } from './project-scope.js'
import { projectSignals } from './project-signals.js'

/** Every resource, in the order to list them. */
export const resources: readonly Resource[] = [
  projectSignals,
  projectGuidance,
  projectRubric,
  projectSchema,
  projectScope,
  callTranscript,
]
