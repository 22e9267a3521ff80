import type { Operations } from '../operations/operations.js'
import { type ProjectEntry, entryLine } from './project-entries.js'
import { readProject } from './read-project.js'

/** What came of taking entries into a project. */
export interface ProjectTaken {
  readonly project_id: string
  /** Whether the project was made. */
  readonly created: boolean
  readonly added: number
  /** Entries that were there already, just as they are. */
  readonly unchanged: number
  /** Webhooks sign with secrets of their own, which are shown this once. */
  readonly secrets: readonly { readonly webhook_id: string; readonly url: string; readonly secret: string }[]
}

/**
 * Takes entries into a project, which is made if it is not there. What is there as it is in an entry stays, so that
 * doing it twice is doing it once; nothing is removed.
 */
export async function writeProject(
  operations: Operations,
  project: string,
  entries: readonly ProjectEntry[],
): Promise<ProjectTaken> {
  const created = !(await operations.projects()).some(({ project_id }) => project_id === project)
  if (created) await operations.createProject({ project_id: project, timezone: 'UTC', verticals: [] })
  const there = new Set((await readProject(operations, project)).map(entryLine))
  const missing = entries.filter(entry => !there.has(entryLine(entry)))
  const secrets: ProjectTaken['secrets'][number][] = []
  // oxlint-disable no-await-in-loop -- in their order
  for (const entry of missing) {
    const secret = await add(operations, project, entry)
    if (secret !== undefined) secrets.push(secret)
  }
  // oxlint-enable no-await-in-loop
  return { project_id: project, created, added: missing.length, unchanged: entries.length - missing.length, secrets }
}

async function add(
  operations: Operations,
  project: string,
  given: ProjectEntry,
): Promise<ProjectTaken['secrets'][number] | undefined> {
  const events = operations.eventsOf(project)
  switch (given.entry) {
    case 'project': {
      const { entry: _, ...settings } = given
      await operations.changeProject(project, settings)
      return undefined
    }
    case 'rubric':
      await operations.setRubric(project, { text: given.text })
      return undefined
    case 'document': {
      const { entry: _, ...draft } = given
      await operations.putDocument(project, draft)
      return undefined
    }
    case 'alert': {
      const { entry: _, active, ...alert } = given
      const { alert_id } = await events.addAlert(alert)
      if (active === false) await events.changeAlert(alert_id, { active })
      return undefined
    }
    case 'webhook': {
      const { entry: _, active, ...webhook } = given
      const { webhook_id, url, secret } = await events.addWebhook(webhook)
      if (active === false) await events.changeWebhook(webhook_id, { active })
      return { webhook_id, url, secret }
    }
    case 'task': {
      const { entry: _, ...task } = given
      await operations.tasks.create(project, task)
      return undefined
    }
  }
}
