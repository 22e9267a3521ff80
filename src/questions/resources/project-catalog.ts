import { z } from 'zod'
import type { Caller } from '../../access/caller.js'
import type { Asker } from '../asker.js'
import { ResourceNotFound } from '../resource-not-found.js'
import { type Complete, firstOf } from '../completion.js'

/** The asker's own project, the only one there is for it. */
const completeProjectId: Complete = (asker, typed) => {
  const { project_id: own } = asker.project
  return Promise.resolve(firstOf(own.startsWith(typed) ? [own] : []))
}

/** What the catalogs of a project have in common as resources. */
export const projectCatalog = {
  params: z.strictObject({ project_id: z.string() }),
  listed: (caller: Caller) => [{ project_id: caller.project_id }],
  complete: { project_id: completeProjectId },
}

/** Nobody reads another project's catalog, nor learns whether there is such a project. */
export function requireOwnProject(asker: Asker, projectId: string): void {
  if (projectId !== asker.project.project_id) throw new ResourceNotFound()
}
