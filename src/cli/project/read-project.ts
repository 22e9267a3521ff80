import type { Operations } from '../operations/operations.js'
import { type ProjectEntry, entryLine, entryOf } from './project-entries.js'

/** Everything that belongs to a project beside calls, feedback and keys: the same things are the same entries, in one order. */
export async function readProject(operations: Operations, project: string): Promise<readonly ProjectEntry[]> {
  const entries: ProjectEntry[] = [entryOf.project(await operations.project(project))]
  const rubric = await operations.rubric(project)
  // One that was never set is that of the program, and no setting.
  if (rubric.set_at !== undefined) entries.push(entryOf.rubric(rubric))
  for (const { kb_id } of await operations.documents(project)) {
    // oxlint-disable-next-line no-await-in-loop -- a document at a time bounds the memory
    entries.push(entryOf.document(await operations.document(project, kb_id)))
  }
  const events = operations.eventsOf(project)
  return [
    ...entries,
    ...inOrder((await events.alerts()).map(entryOf.alert)),
    ...inOrder((await events.webhooks()).map(entryOf.webhook)),
    ...inOrder((await operations.tasks.list(project)).map(entryOf.task)),
  ]
}

/** These have no names of their own that tell them apart: in the order of what they are. */
function inOrder(entries: readonly ProjectEntry[]): readonly ProjectEntry[] {
  return entries.toSorted((a, b) => (entryLine(a) < entryLine(b) ? -1 : 1))
}
