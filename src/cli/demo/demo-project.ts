import { newProject } from '../../access/project-fields.js'
import type { Installation } from '../../service/open-installation.js'

/** The project of the demo. */
export const DEMO_PROJECT = 'demo'

/** Makes the demo's project when it is not there. */
export async function ensureDemoProject({ projects }: Installation): Promise<void> {
  if (projects.list().some(project => project.project_id === DEMO_PROJECT)) return
  await projects.create(newProject.parse({ project_id: DEMO_PROJECT, name: 'Demo' }))
}
