import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { Catalogs } from '../calls/catalogs.js'
import type { Turn } from '../admission/threads.js'
import type { RubricRecord, RubricStore } from '../store/rubric-store.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import { builtInRubrics, defaultRubric, type VersionedRubric } from './rubric/built-in-rubrics.js'
import type { ReadRubric } from './rubric/read-rubric.js'
import { builtInCatalogs, builtInSignals, rubricCatalogs } from './rubric/rubric-catalogs.js'
import { withVerticals } from './rubric/signal-catalogs.js'
import { rubricPage } from './rubric/rubric-text.js'

/** A rubric as a project has it. */
export interface ProjectRubric extends VersionedRubric {
  /** As it was given; of a built-in one a page that tells of it, and says no more than that it extends that one. */
  readonly text: string
  readonly source: 'project' | 'built-in'
  /** Absent while the project has never set one. */
  readonly set_at?: string
  readonly set_by?: string
}

/** A version that this program can't read: it was set under another one, which read more, or had another built-in one. */
export interface UnreadableRubric {
  readonly version: string
  readonly source: 'project' | 'built-in'
  /** As it was given; absent where it is a built-in one. */
  readonly text?: string
  /** The name of a built-in one. */
  readonly built_in?: string
  readonly set_at: string
  readonly set_by: string
  /** Why, as a sentence. */
  readonly unreadable: string
}

/** What a project is given: an own rubric as YAML or JSON, or a built-in one by name. */
export type GivenRubric = { readonly text: string } | { readonly built_in: string }

/** The version that names the rubric of a project that has set none, whichever that is. */
const BUILT_IN = 'built-in'

interface RubricsParts {
  readonly store: RubricStore
  readonly sharing?: Sharing
  readonly read: ReadRubric
  readonly clock?: () => number
}

/** The projects' rubrics: in memory, every change in the store first; no version is ever lost. */
export class Rubrics {
  readonly #store: RubricStore
  readonly #clock: () => number
  readonly #records: SharedRecords<RubricRecord>
  /** The versions of each project, oldest first. */
  readonly #versions = new Map<string, readonly RubricRecord[]>()
  readonly #readRubric: ReadRubric
  readonly #read = new WeakMap<RubricRecord, Promise<ProjectRubric | UnreadableRubric>>()
  readonly #catalogs = new WeakMap<object, Catalogs>()

  private constructor({ store, sharing, read, clock = Date.now }: RubricsParts) {
    this.#store = store
    this.#records = new SharedRecords({
      kind: 'rubrics',
      sharing,
      all: () => store.all(),
      idOf: one => `${one.project_id} ${one.version}`,
      kept: (after, before) => this.#keep(after, before),
    })
    this.#readRubric = read
    this.#clock = clock
  }

  /** Reads none of them: that is done when one is asked for. */
  static async load(parts: RubricsParts): Promise<Rubrics> {
    const rubrics = new Rubrics(parts)
    await rubrics.#records.load()
    return rubrics
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /**
   * The rubric a project's calls are evaluated by: the one set last, else the default one.
   * @throws Problem `conflict` when it was set under another version of this program and can't be read any more
   */
  async of(projectId: string): Promise<ProjectRubric> {
    const last = this.#versions.get(projectId)?.at(-1)
    return last === undefined ? defaultOfProjects() : await this.#readable(last)
  }

  /** One of a project's rubrics by its version, such as project-2, or the one it had before it set any. @throws Problem `not_found` */
  async version(projectId: string, version: string): Promise<ProjectRubric | UnreadableRubric> {
    // Evaluations keep the name of a version with a hash.
    const [name] = version.split('+')
    const record = this.#versions.get(projectId)?.find(one => versionOf(one) === name)
    if (record !== undefined) return await this.#open(record)
    if (name === BUILT_IN || name === defaultRubric.version) return defaultOfProjects()
    throw new Problem('not_found', `Rubric version not found: ${echo(version)}`)
  }

  /** Every version a project ever set, oldest first. */
  async versions(projectId: string): Promise<readonly (ProjectRubric | UnreadableRubric)[]> {
    return await Promise.all((this.#versions.get(projectId) ?? []).map(record => this.#open(record)))
  }

  /**
   * What a project's calls can show: its rubric's entries, and those of its lines of business; others that are built in are there to be
   * chosen and for calls evaluated before, and not active.
   */
  async catalogs(projectId: string, verticals: readonly string[] = []): Promise<Catalogs> {
    let rubric = defaultRubric.rubric
    try {
      rubric = withVerticals((await this.of(projectId)).rubric, verticals)
    } catch (error) {
      // Names of signals are still told; evaluating says what is wrong.
      if (!(error instanceof Problem)) throw error
    }
    const known = this.#catalogs.get(rubric)
    if (known !== undefined) return known
    const own = rubricCatalogs(rubric)
    const catalogs = {
      signals: new Map([...own.signals, ...others(own.signals, builtInSignals)]),
      guidance: new Map([...own.guidance, ...others(own.guidance, builtInCatalogs.guidance)]),
    }
    this.#catalogs.set(rubric, catalogs)
    return catalogs
  }

  /**
   * Checks a rubric without setting it.
   * @throws Problem `invalid_input` with line and column, `not_found` for a built-in one that is not there
   */
  async read(given: GivenRubric, turn: Turn): Promise<VersionedRubric> {
    if ('text' in given) return { rubric: await this.#readRubric(given.text, true, turn), version: 'draft' }
    const builtIn = builtInRubrics.get(given.built_in)
    if (builtIn !== undefined) return builtIn
    const names = [...builtInRubrics.keys()].join(', ')
    throw new Problem('not_found', `There is no built-in rubric ${echo(given.built_in)}; there are ${names}`)
  }

  /** Sets a project's rubric, as a new version unless it is what the project has already. @throws like `read` */
  async set(projectId: string, given: GivenRubric, by: string, signal?: AbortSignal): Promise<ProjectRubric> {
    await this.read(given, { requester: { project: projectId, key: by }, signal })
    return await this.#readable(await this.#add(projectId, given, by))
  }

  /**
   * Adds a version as it was set elsewhere, unless it is what the project has already, and whether or not it can be read
   * here: calls say by which version they were evaluated, so none may be left out.
   */
  async restore(projectId: string, given: GivenRubric, by: string): Promise<ProjectRubric | UnreadableRubric> {
    return await this.#open(await this.#add(projectId, given, by))
  }

  async #add(projectId: string, given: GivenRubric, by: string): Promise<RubricRecord> {
    return await this.#records.run(async () => {
      const versions = this.#versions.get(projectId) ?? []
      const last = versions.at(-1)
      const same = 'text' in given ? last?.text === given.text : last?.built_in === given.built_in
      if (last !== undefined && same) return last
      const record: RubricRecord = {
        project_id: projectId,
        version: (last?.version ?? 0) + 1,
        ...given,
        set_at: new Date(this.#clock()).toISOString(),
        set_by: by,
      }
      await this.#records.put(record, () => this.#store.add(record))
      return record
    })
  }

  #keep(after: RubricRecord | undefined, before: RubricRecord | undefined): void {
    const projectId = (after ?? before)?.project_id ?? ''
    const others = (this.#versions.get(projectId) ?? []).filter(one => one !== before)
    const versions = after === undefined ? others : [...others, after].toSorted((a, b) => a.version - b.version)
    this.#versions.set(projectId, versions)
  }

  /** @throws Problem `conflict` */
  async #readable(record: RubricRecord): Promise<ProjectRubric> {
    const rubric = await this.#open(record)
    if ('unreadable' in rubric) throw new Problem('conflict', rubric.unreadable)
    return rubric
  }

  async #open(record: RubricRecord): Promise<ProjectRubric | UnreadableRubric> {
    const known = this.#read.get(record)
    if (known !== undefined) return await known
    const read = this.#openRecord(record)
    this.#read.set(record, read)
    try {
      return await read
    } catch (error) {
      // What kept it from being read now may not the next time.
      this.#read.delete(record)
      throw error
    }
  }

  async #openRecord(record: RubricRecord): Promise<ProjectRubric | UnreadableRubric> {
    const { text, built_in: name, set_at, set_by } = record
    const kept = { version: versionOf(record), set_at, set_by }
    if (text !== undefined) {
      const own = { ...kept, source: 'project', text } as const
      try {
        // Not tried: what it costs to be made ready whoever evaluates by it is told.
        const turn = { requester: { project: record.project_id, key: 'rubric' } }
        return { ...own, rubric: await this.#readRubric(text, false, turn) }
      } catch (error) {
        if (!(error instanceof Problem) || error.code === 'cancelled') throw error
        const unreadable = `The project's rubric (version ${record.version}) can't be read by this program any more. ${error.message}`
        return { ...own, unreadable }
      }
    }
    const builtIn = name === undefined ? undefined : builtInRubrics.get(name)
    if (builtIn !== undefined) return { ...kept, ...builtIn, text: builtInText(builtIn), source: 'built-in' }
    const unreadable = `This program has no built-in rubric ${echo(name ?? '')} any more: set another`
    return { ...kept, source: 'built-in', ...(name !== undefined && { built_in: name }), unreadable }
  }
}

function defaultOfProjects(): ProjectRubric {
  return { ...defaultRubric, text: builtInText(defaultRubric), source: 'built-in' }
}

/** A built-in rubric has a version of its own; versions of projects can't be taken for one. */
function versionOf({ version, built_in: name }: RubricRecord): string {
  return (name === undefined ? undefined : builtInRubrics.get(name)?.version) ?? `project-${version}`
}

const texts = new WeakMap<object, string>()

function builtInText(builtIn: VersionedRubric): string {
  const known = texts.get(builtIn.rubric) ?? rubricPage(builtIn)
  texts.set(builtIn.rubric, known)
  return known
}

function others<T extends { readonly active: boolean }>(own: ReadonlyMap<string, T>, all: ReadonlyMap<string, T>) {
  return [...all].filter(([key]) => !own.has(key)).map(([key, entry]) => [key, { ...entry, active: false }] as const)
}
