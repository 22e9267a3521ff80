import { addAlert, changeAlert } from '../../operations/alerts.js'
import { createTask } from '../../operations/tasks.js'
import { addWebhook, changeWebhook } from '../../operations/webhooks.js'
import { getDocument, listDocuments, putDocument } from '../../operations/knowledge-base.js'
import { restoreRubric } from '../../operations/rubrics.js'
import { changeProject, getProject } from '../../operations/projects.js'
import { FEEDBACK_PAGE, restoreFeedback } from '../../operations/feedback.js'
import { parseInput } from '../../base/parse-input.js'
import { Problem, type ProblemCode } from '../../base/problem.js'
import type { EntryLine, TakeEntries } from '../../ingest/entries.js'
import type { Reject } from '../../ingest/piece.js'
import { type MaskCounts, type Masking, addMasks, noMasks } from '../../redact/mask.js'
import type { KeptFeedback } from '../../store/event-store.js'
import { type ProjectEntry, entryLine, entryOf, projectEntry } from '../export/project-entry.js'
import { actingEntries, rubricEntries } from '../export/read-project.js'
import type { UnreadableVersion } from '../export/unreadable-version.js'
import type { Client } from '../../control/client.js'

/** What came of taking the entries of a project's export. */
export interface EntriesTaken {
  readonly added: number
  /** Entries that were there already, just as they are. */
  readonly unchanged: number
  /** Versions of the rubric that were taken as they were set, and can't be read; absent when there are none. */
  readonly unreadable?: readonly UnreadableVersion[]
  /** Webhooks sign with secrets of their own, which are shown this once. */
  readonly secrets: readonly { readonly webhook_id: string; readonly url: string; readonly secret: string }[]
}

/** Problems that are an entry's own. Others end the import. */
const OF_ENTRY: ReadonlySet<ProblemCode> = new Set([
  'invalid_input',
  'not_found',
  'conflict',
  'too_large',
  'not_configured',
])

type Placed<T> = { readonly at: EntryLine; readonly entry: T }
type FeedbackEntry = Extract<ProjectEntry, { entry: 'feedback' }>
type OtherEntry = Exclude<ProjectEntry, FeedbackEntry>

/**
 * Takes the entries of a project's export into a project. What is there as it is in an entry stays, so that doing it
 * twice is doing it once; nothing is removed.
 */
export class EntryTaker {
  readonly #client: Client
  readonly #project: string
  #added = 0
  #unchanged = 0
  readonly #unreadable: UnreadableVersion[] = []
  readonly #secrets: EntriesTaken['secrets'][number][] = []
  /** Documents by name; alerts, webhooks and tasks as their lines; versions of the rubric in their order. */
  #documents: Promise<ReadonlyMap<string, string>> | undefined
  #acting: Promise<ReadonlySet<string>> | undefined
  #rubrics: Promise<readonly string[]> | undefined
  #rubricsMet = 0

  constructor(client: Client, project: string) {
    this.#client = client
    this.#project = project
  }

  /** Undefined when there was no entry. */
  get taken(): EntriesTaken | undefined {
    const [added, unchanged] = [this.#added, this.#unchanged]
    if (added + unchanged === 0) return undefined
    const unreadable = this.#unreadable
    return { added, unchanged, secrets: this.#secrets, ...(unreadable.length > 0 && { unreadable }) }
  }

  /** See TakeEntries. */
  readonly take: TakeEntries = async (lines, redact) => {
    const rejects: Reject[] = []
    const masked = noMasks()
    let feedback: Placed<FeedbackEntry>[] = []
    const tryTo = async (at: EntryLine, work: () => Promise<unknown>): Promise<void> => {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof Problem) || !OF_ENTRY.has(error.code)) throw error
        rejects.push(rejectOf(at, error.message))
      }
    }
    const flush = async (): Promise<void> => {
      if (feedback.length > 0) rejects.push(...(await this.#takeFeedback(feedback, redact, masked)))
      feedback = []
    }
    // oxlint-disable no-await-in-loop -- in their order
    for (const at of lines) {
      await tryTo(at, async () => {
        const entry = read(at)
        if (entry.entry === 'feedback') {
          feedback.push({ at, entry })
          if (feedback.length === FEEDBACK_PAGE) await flush()
        } else {
          await flush()
          await this.#takeOther(entry)
        }
      })
    }
    // oxlint-enable no-await-in-loop
    await flush()
    return { rejects, masked }
  }

  /** @param counts grows by the places that were masked */
  async #takeFeedback(
    feedback: readonly Placed<FeedbackEntry>[],
    redact: Masking,
    counts: MaskCounts,
  ): Promise<readonly Reject[]> {
    const kept = feedback.map(({ entry }) => keptOf(entry))
    const { added, without_call, masked } = await this.#client.run(restoreFeedback, {
      project_id: this.#project,
      body: { feedback: kept, redact },
    })
    if (masked !== undefined) addMasks(counts, masked)
    const lost = new Set(without_call)
    const rejects = feedback.filter(({ entry }) => lost.has(entry.feedback_id))
    this.#added += added
    this.#unchanged += feedback.length - rejects.length - added
    return rejects.map(({ at }) => rejectOf(at, 'is feedback on a call that is not there, or was erased'))
  }

  async #takeOther(entry: OtherEntry): Promise<void> {
    if (await this.#isThere(entry)) this.#unchanged += 1
    else {
      await this.#add(entry)
      this.#added += 1
    }
  }

  async #isThere(entry: OtherEntry): Promise<boolean> {
    const line = entryLine(entry)
    switch (entry.entry) {
      case 'project':
        return line === entryLine(entryOf.project(await this.#client.run(getProject, { project_id: this.#project })))
      case 'rubric': {
        this.#rubrics ??= linesOf(rubricEntries(this.#client, this.#project))
        this.#rubricsMet += 1
        const all = await this.#rubrics
        const there = all[this.#rubricsMet - 1]
        // What is in force there may be another version than here.
        if (entry.in_force === true) return there === line || all.at(-1) === line
        return there === line || there === entryLine({ ...entry, in_force: true })
      }
      case 'document': {
        this.#documents ??= this.#client
          .run(listDocuments, { project: this.#project })
          .then(({ documents }) => new Map(documents.map(({ name, kb_id }) => [name, kb_id])))
        const id = (await this.#documents).get(entry.name)
        return (
          id !== undefined &&
          line ===
            entryLine(entryOf.document(await this.#client.run(getDocument, { project: this.#project, kb_id: id })))
        )
      }
      default:
        this.#acting ??= actingEntries(this.#client, this.#project).then(
          entries => new Set(entries.map(one => entryLine(one))),
        )
        return (await this.#acting).has(line)
    }
  }

  async #add(given: OtherEntry): Promise<void> {
    const client = this.#client
    const project = this.#project
    switch (given.entry) {
      case 'project': {
        const { entry: _, ...settings } = given
        await client.run(changeProject, { project_id: project, body: settings })
        break
      }
      case 'rubric': {
        const { text, built_in } = given
        const what = { ...(text !== undefined && { text }), ...(built_in && { built_in }) }
        const { version, unreadable: reason } = await client.run(restoreRubric, { project_id: project, body: what })
        if (reason !== undefined) this.#unreadable.push({ version, reason })
        break
      }
      case 'document': {
        const { entry: _, ...draft } = given
        await client.run(putDocument, { project, body: draft })
        break
      }
      case 'alert': {
        const { entry: _, active, ...alert } = given
        const { alert_id } = await client.run(addAlert, { project, body: alert })
        if (active === false) await client.run(changeAlert, { project, alert_id, body: { active } })
        break
      }
      case 'webhook': {
        const { entry: _, active, ...webhook } = given
        const { webhook_id, url, secret } = await client.run(addWebhook, { project, body: webhook })
        if (active === false) await client.run(changeWebhook, { project, webhook_id, body: { active } })
        this.#secrets.push({ webhook_id, url, secret })
        break
      }
      case 'task': {
        const { entry: _, ...task } = given
        await client.run(createTask, { project, body: task })
        break
      }
    }
  }
}

/** @throws Problem `invalid_input` */
function read({ text }: EntryLine): ProjectEntry {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid_input', 'is not JSON')
  }
  return parseInput(projectEntry, value, 'field')
}

function rejectOf({ file, line }: EntryLine, message: string): Reject {
  return { file, line, path: '', message }
}

function keptOf(given: FeedbackEntry): KeptFeedback {
  const { entry: _, ...kept } = given
  return kept
}

async function linesOf(entries: AsyncIterable<ProjectEntry>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const entry of entries) lines.push(entryLine(entry))
  return lines
}
