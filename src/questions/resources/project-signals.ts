import { z } from 'zod'
import { signalEntry } from '../../calls/catalogs.js'
import { resource } from '../resource.js'
import { projectCatalog, requireOwnProject } from './project-catalog.js'

/** The signals that calls of the project can show. */
export const projectSignals = resource({
  ...projectCatalog,
  name: 'project_signals',
  title: 'Signal catalog',
  description:
    'The signals calls of this project are read for: key, name, what it means, category. Whole, in one piece.',
  uriTemplate: 'earshot://project/{project_id}/signals',
  output: z.strictObject({ signals: z.array(signalEntry), count: z.int() }),
  read: (asker, { project_id }) => {
    requireOwnProject(asker, project_id)
    const signals = [...asker.catalogs.signals.values()]
    return Promise.resolve({ signals, count: signals.length })
  },
})
