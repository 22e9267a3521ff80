import type { Operations } from '../operations/operations.js'
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
  operations: Operations,
  project: string,
  onUnreadable: (version: UnreadableVersion) => void,
): AsyncGenerator<ProjectEntry> {
  yield entryOf.project(await operations.project(project))
  yield* rubricEntries(operations, project, onUnreadable)
  for (const { kb_id } of await operations.documents(project)) {
    // oxlint-disable-next-line no-await-in-loop -- a document at a time bounds the memory
    yield entryOf.document(await operations.document(project, kb_id))
  }
}

/** Feedback on a project's calls, oldest first. */
export async function* feedbackEntries(operations: Operations, project: string): AsyncGenerator<ProjectEntry> {
  for await (const kept of operations.feedback(project)) yield { entry: 'feedback', ...kept }
}

/** What acts on what happens in a project. These have no names that tell them apart: in the order of what they are. */
export async function actingEntries(operations: Operations, project: string): Promise<readonly ProjectEntry[]> {
  const events = operations.eventsOf(project)
  return [
    ...inOrder((await events.alerts()).map(entryOf.alert)),
    ...inOrder((await events.webhooks()).map(entryOf.webhook)),
    ...inOrder((await operations.tasks.list(project)).map(entryOf.task)),
  ]
}

/**
 * Every version that was set, as it was set, readable or not: calls say by which they were evaluated. A project that
 * never set one has none.
 */
export async function* rubricEntries(
  operations: Operations,
  project: string,
  onUnreadable: (version: UnreadableVersion) => void = () => undefined,
): AsyncGenerator<RubricEntry> {
  const versions = await operations.rubricVersions(project)
  for (const [i, { name = '', version, source, unreadable: reason }] of versions.entries()) {
    if (reason !== undefined) onUnreadable({ version, reason })
    // oxlint-disable-next-line no-await-in-loop -- a text at a time bounds the memory
    const what = source === 'built-in' ? { built_in: name } : { text: (await operations.rubric(project, version)).text }
    yield { entry: 'rubric', ...what, ...(i === versions.length - 1 && { in_force: true }) }
  }
}

type RubricEntry = Extract<ProjectEntry, { entry: 'rubric' }>

function inOrder(entries: readonly ProjectEntry[]): readonly ProjectEntry[] {
  return entries.toSorted((a, b) => (entryLine(a) < entryLine(b) ? -1 : 1))
}
