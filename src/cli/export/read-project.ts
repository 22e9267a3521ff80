import { exportFeedback, FEEDBACK_PAGE } from '../../operations/feedback.js'
import { listAlerts } from '../../operations/alerts.js'
import { listWebhooks } from '../../operations/webhooks.js'
import { listTasks } from '../../operations/tasks.js'
import { getProject } from '../../operations/projects.js'
import { getDocument, listDocuments } from '../../operations/knowledge-base.js'
import { getRubric, listRubricVersions } from '../../operations/rubrics.js'
import type { Client } from '../../control/client.js'
import { type ProjectEntry, entryLine, entryOf } from './project-entry.js'
import type { UnreadableVersion } from './unreadable-version.js'

/*
 * A project goes out in the order in which it comes in: its settings, what calls are evaluated by and what is known, the
 * calls, what was said about them; and last what acts on what happens, so that no alert rings and nothing is told while
 * another project takes it. The same things are the same entries, in one order.
 */

/**
 * What stands ahead of a project's calls. @param onUnreadable hears of versions of the rubric that can't be read any more
 * @throws Problem `not_found` (no such project)
 */
export async function* entriesBeforeCalls(
  client: Client,
  project: string,
  onUnreadable: (version: UnreadableVersion) => void,
): AsyncGenerator<ProjectEntry> {
  yield entryOf.project(await client.run(getProject, { project_id: project }))
  yield* rubricEntries(client, project, onUnreadable)
  for (const { kb_id } of (await client.run(listDocuments, { project })).documents) {
    // oxlint-disable-next-line no-await-in-loop -- a document at a time bounds the memory
    yield entryOf.document(await client.run(getDocument, { project, kb_id }))
  }
}

/** Feedback on a project's calls, oldest first. */
export async function* feedbackEntries(client: Client, project: string): AsyncGenerator<ProjectEntry> {
  let query = {}
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- where a page begins, the one before says
    const { feedback } = await client.run(exportFeedback, { project_id: project, query })
    for (const kept of feedback) yield { entry: 'feedback', ...kept }
    const last = feedback.at(-1)
    if (last === undefined || feedback.length < FEEDBACK_PAGE) return
    query = { created_at: last.created_at, feedback_id: last.feedback_id }
  }
}

/** What acts on what happens in a project. These have no names that tell them apart: in the order of what they are. */
export async function actingEntries(client: Client, project: string): Promise<readonly ProjectEntry[]> {
  return [
    ...inOrder((await client.run(listAlerts, { project })).alerts.map(entryOf.alert)),
    ...inOrder((await client.run(listWebhooks, { project })).webhooks.map(entryOf.webhook)),
    ...inOrder((await client.run(listTasks, { project })).tasks.map(entryOf.task)),
  ]
}

/**
 * Every version that was set, as it was set, readable or not: calls say by which they were evaluated. A project that
 * never set one has none.
 */
export async function* rubricEntries(
  client: Client,
  project: string,
  onUnreadable: (version: UnreadableVersion) => void = () => undefined,
): AsyncGenerator<RubricEntry> {
  const versions = (await client.run(listRubricVersions, { project })).versions
  for (const [i, { name = '', version, source, unreadable: reason }] of versions.entries()) {
    if (reason !== undefined) onUnreadable({ version, reason })
    // oxlint-disable-next-line no-await-in-loop -- a text at a time bounds the memory
    const what =
      source === 'built-in'
        ? { built_in: name }
        : { text: (await client.run(getRubric, { project, query: { version } })).text }
    yield { entry: 'rubric', ...what, ...(i === versions.length - 1 && { in_force: true }) }
  }
}

type RubricEntry = Extract<ProjectEntry, { entry: 'rubric' }>

function inOrder(entries: readonly ProjectEntry[]): readonly ProjectEntry[] {
  return entries.toSorted((a, b) => (entryLine(a) < entryLine(b) ? -1 : 1))
}
