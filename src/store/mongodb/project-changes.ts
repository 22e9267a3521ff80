import type { MongoDatabase } from './mongodb-database.js'

const LOOK_EVERY_MS = 1_000
/** Changes of several projects come in another order than they are numbered in; so many may be told at once. */
const MOST_UNDER_WAY = 1_000

/** When calls of projects changed, here and in other processes. */
export class ProjectChanges {
  readonly #database: MongoDatabase
  /** Changes that began or ended here, by project. */
  readonly #here = new Map<string, number>()
  /** The number under which a change of each project was told last, as of the last look, whoever made it. */
  readonly #written = new Map<string, number>()
  #newest = 0
  #looking: NodeJS.Timeout | undefined

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  /** A number that grows when a change of calls of a project begins, and when one ends; of what others change within a second or two. */
  of(projectId: string): number {
    return (this.#here.get(projectId) ?? 0) + (this.#written.get(projectId) ?? 0)
  }

  async changing<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    this.#count(projectId)
    try {
      return await work()
    } finally {
      this.#count(projectId)
    }
  }

  /** Tells other processes that calls of a project changed. @param write a number among those of writes that was given just now */
  async tell(projectId: string, write: number): Promise<void> {
    await this.#database.writing('project_writes').updateOne({ _id: projectId }, { $max: { write } }, { upsert: true })
  }

  start(): void {
    this.#looking = setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref()
  }

  close(): void {
    clearInterval(this.#looking)
  }

  /** Takes up what others told. */
  async look(): Promise<void> {
    const found = await this.#database
      .reading('project_writes')
      .find({ write: { $gt: this.#newest - MOST_UNDER_WAY } })
      .toArray()
    for (const { _id, write } of found) {
      this.#written.set(_id, Number(write))
      this.#newest = Math.max(this.#newest, Number(write))
    }
  }

  #count(projectId: string): void {
    this.#here.set(projectId, (this.#here.get(projectId) ?? 0) + 1)
  }
}
