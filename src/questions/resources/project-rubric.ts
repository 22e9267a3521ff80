import { scoringSchema } from '../../evaluation/rubric/scoring.js'
import { resource } from '../resource.js'
import { projectCatalog, requireOwnProject } from './project-catalog.js'

/** How calls of the project are scored. */
export const projectRubric = resource({
  ...projectCatalog,
  name: 'project_rubric',
  title: 'Scoring',
  description:
    'How calls of this project get their score and predicted CSAT: weights of dimensions and signals, caps, and what is added for what.',
  uriTemplate: 'earshot://project/{project_id}/rubric',
  output: scoringSchema,
  read: async (asker, { project_id }) => {
    requireOwnProject(asker, project_id)
    return await asker.scoring()
  },
})
