import { getScoring } from '../get-scoring.js'
import { resource } from '../resource.js'
import { projectCatalog, requireOwnProject } from './project-catalog.js'

/** How calls of the project are scored. */
export const projectRubric = resource({
  ...projectCatalog,
  name: 'project_rubric',
  title: 'Scoring',
  description: getScoring.description,
  uriTemplate: 'earshot://project/{project_id}/rubric',
  output: getScoring.output,
  read: async (asker, { project_id }) => {
    requireOwnProject(asker, project_id)
    return await getScoring.answer(asker, {})
  },
})
