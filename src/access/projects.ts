import type { Immutable } from '../base/immutable.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { maskKinds } from '../redact/mask.js'
import type { ProjectRecord } from '../store/records/project.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { ProjectStore } from '../store/store.js'
import type { NewProject, ProjectPatch } from './project-fields.js'

/** The registry of projects: in memory, every change in the store first. */
export class Projects {
  readonly #store: ProjectStore
  readonly #clock: () => number
  readonly #records: SharedRecords<ProjectRecord>
  readonly #takenAway = new Map<string, number>()

  private constructor(store: ProjectStore, clock: () => number, sharing: Sharing | undefined) {
    this.#store = store
    this.#clock = clock
    this.#records = new SharedRecords({
      kind: 'projects',
      sharing,
      all: () => store.all(),
      idOf: one => one.project_id,
    })
  }

  /** Reads every project of the store. */
  static async load(store: ProjectStore, clock: () => number = Date.now, sharing?: Sharing): Promise<Projects> {
    const projects = new Projects(store, clock, sharing)
    await projects.#records.load()
    return projects
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Every project, by id. */
  list(): readonly ProjectRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.project_id < b.project_id ? -1 : 1))
  }

  /** Undefined when there is none. */
  find(projectId: string): ProjectRecord | undefined {
    return this.#records.get(projectId)
  }

  /** Takes up what other processes made where there is none of this id: it may have been made at one of them just now. */
  async lookUp(projectId: string): Promise<void> {
    await this.#records.lookUp(projectId)
  }

  /** @throws Problem `not_found` */
  get(projectId: string): ProjectRecord {
    const project = this.#records.get(projectId)
    if (project === undefined) throw new Problem('not_found', `Project not found: ${echo(projectId)}`)
    return project
  }

  /** How often calls of a project, or words in them, were taken away while this process runs; undefined: never yet. */
  takenAway(projectId: string): number | undefined {
    return this.#takenAway.get(projectId)
  }

  /**
   * Erases or masks calls: once that is acknowledged, nothing that was found before is told any more. Nor where it fails: what went
   * ahead of the failure is gone.
   * @param isAny whether it took anything away
   */
  async takingAway<T>(projectId: string, take: () => Promise<T>, isAny: (taken: T) => boolean): Promise<T> {
    let isTaken = true
    try {
      const taken = await take()
      isTaken = isAny(taken)
      return taken
    } finally {
      if (isTaken) this.#takenAway.set(projectId, (this.#takenAway.get(projectId) ?? 0) + 1)
    }
  }

  /** @throws Problem `conflict` when the id is taken */
  create(fields: NewProject): Promise<ProjectRecord> {
    return this.#records.run(async () => {
      if (this.#records.get(fields.project_id) !== undefined) {
        throw new Problem('conflict', `Project exists already: ${echo(fields.project_id)}`)
      }
      const project: ProjectRecord = {
        project_id: fields.project_id,
        name: fields.name ?? fields.project_id,
        timezone: fields.timezone,
        verticals: fields.verticals,
        ...settingsOf(fields),
        created_at: new Date(this.#clock()).toISOString(),
      }
      await this.#records.put(project, () => this.#store.insert(project))
      return project
    })
  }

  /** Changes the fields that are given. @throws Problem `not_found` */
  patch(projectId: string, patch: ProjectPatch): Promise<ProjectRecord> {
    return this.#records.run(async () => {
      const project = this.get(projectId)
      const { project_id, name, timezone, verticals, created_at, ...settings } = project
      const next: ProjectRecord = {
        project_id,
        name: patch.name ?? name,
        timezone: patch.timezone ?? timezone,
        verticals: patch.verticals ?? verticals,
        ...settingsOf({ ...settings, ...patch }),
        created_at,
      }
      await this.#records.put(next, () => this.#store.update(next))
      return next
    })
  }
}

/** The settings that were made, those that say what holds without them left out. */
function settingsOf({ redact, redact_kinds: kinds, evaluation, outcome, doubtful }: Immutable<ProjectPatch>) {
  return {
    ...(redact !== undefined && { redact }),
    ...(kinds !== undefined && kinds.length < maskKinds.length && { redact_kinds: kinds }),
    ...(evaluation !== undefined && { evaluation }),
    ...(outcome !== undefined && { outcome }),
    ...(doubtful !== undefined && { doubtful }),
  }
}
