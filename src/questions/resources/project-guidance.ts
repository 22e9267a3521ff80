import { z } from 'zod'
import { guidanceEntry } from '../../calls/catalogs.js'
import { resource } from '../resource.js'
import { projectCatalog, requireOwnProject } from './project-catalog.js'

/** The coaching entries that calls of the project can be given. */
export const projectGuidance = resource({
  ...projectCatalog,
  name: 'project_guidance',
  title: 'Guidance catalog',
  description:
    'The coaching entries of this project: key, name, what to do, kind, priority, and the signals that trigger it. Whole, in one piece.',
  uriTemplate: 'earshot://project/{project_id}/guidance',
  output: z.strictObject({ guidance: z.array(guidanceEntry), count: z.int() }),
  read: (asker, { project_id }) => {
    requireOwnProject(asker, project_id)
    const guidance = [...asker.catalogs.guidance.values()]
    return Promise.resolve({ guidance, count: guidance.length })
  },
})
