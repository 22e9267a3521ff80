import { endedBy, Problem } from '../base/problem.js'
import type { Requester } from './requester.js'

export interface FairSlotsLimits {
  /** What takes a place, in the plural as messages say it, such as `heavy questions`. */
  readonly what: string
  /** How many run at once, of all together. */
  readonly places: number
  /** How many places a project that has one already may not take; default 1, and always fewer than all. */
  readonly kept?: number
  /** How many of one project run at once; default all that are not kept. */
  readonly placesOfProject?: number
  /** How many of one key run at once; default as many as of its project. */
  readonly placesOfKey?: number
  /** How many of a project's places a key that has one already may not take; default none. */
  readonly keptOfProject?: number
  /** How many of one key wait, and of one project. There is no bound on all together, which one could reach for others. */
  readonly waitingOfKey: number
  readonly waitingOfProject: number
  /** Seconds after which who was refused may try again; default 2. */
  readonly retryAfterSeconds?: number
}

/** Until when a place is wanted. */
export interface Patience {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds from now; what is spent waiting is not there for the work. Absent: any time. */
  readonly deadlineMs?: number | undefined
}

/** What has places for work. */
export interface Places {
  /** Takes a place. @returns gives the place back, a second time nothing */
  take(requester: Requester, patience: Patience): Promise<() => void>
}

/** How many run and wait. */
export interface SlotsLoad {
  readonly running: number
  readonly waiting: number
}

interface Waiter {
  readonly arrived: number
  start(): void
}

interface KeyState {
  running: number
  /** When it was let through last, counted in turns; 0 = not since anybody has been waiting. */
  turn: number
  /** First come, first served. */
  readonly waiting: Set<Waiter>
}

interface ProjectState {
  running: number
  waiting: number
  turn: number
  readonly keys: Map<string, KeyState>
}

/** Longest time a timer can be set to, milliseconds: Node ends a longer one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Places for work, and queues before them. Projects take turns, within a project its keys, within a key who came first;
 * so whoever asks much waits for himself, and nobody else for him. One place is always kept for a project that has
 * none: work that runs for long is not waited for by those who have nothing running.
 */
export class FairSlots implements Places {
  readonly #limits: FairSlotsLimits
  readonly #kept: number
  readonly #projects = new Map<string, ProjectState>()
  #running = 0
  #waiting = 0
  #turn = 0
  #arrivals = 0

  constructor(limits: FairSlotsLimits) {
    this.#limits = limits
    this.#kept = Math.min(limits.kept ?? 1, limits.places - 1)
  }

  get load(): SlotsLoad {
    return { running: this.#running, waiting: this.#waiting }
  }

  /** Whether nothing of a requester's project runs or waits. */
  hasNone({ project }: Requester): boolean {
    return !this.#projects.has(project)
  }

  /**
   * Runs work in its turn. Rejects with a Problem: `busy` when too many of its key or project wait, `deadline_exceeded`
   * or `cancelled` when its turn does not come in time.
   */
  async run<T>(requester: Requester, patience: Patience, work: () => Promise<T>): Promise<T> {
    const giveBack = await this.take(requester, patience)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  /**
   * Takes a place, for whom `run` does not fit; rejects as it does.
   * @returns gives the place back, a second time nothing
   */
  async take(requester: Requester, { signal, deadlineMs }: Patience): Promise<() => void> {
    if (signal?.aborted === true) throw endedBy(signal)
    const project = this.#projectOf(requester)
    const key = keyOf(project, requester)
    if (this.#mayRun(project, key)) this.#start(project, key)
    else await this.#wait(project, key, { signal, deadlineMs })
    let held = true
    return () => {
      if (held) this.#end(project, key)
      held = false
    }
  }

  #wait(project: ProjectState, key: KeyState, { signal, deadlineMs }: Patience): Promise<void> {
    this.#refuseTooMany(project, key)
    return new Promise((resolve, reject) => {
      const leave = (problem: Problem) => {
        this.#unqueue(project, key, waiter)
        this.#forget()
        stop()
        reject(problem)
      }
      const onAbort = () => leave(endedBy(signal))
      const timer =
        deadlineMs === undefined
          ? undefined
          : setTimeout(() => leave(late(this.#limits.what)), Math.min(deadlineMs, LONGEST_TIMER_MS))
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      this.#arrivals += 1
      const waiter: Waiter = {
        arrived: this.#arrivals,
        start: () => {
          this.#unqueue(project, key, waiter)
          this.#start(project, key)
          stop()
          resolve()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      key.waiting.add(waiter)
      project.waiting += 1
      this.#waiting += 1
    })
  }

  #mayRun(project: ProjectState, key: KeyState): boolean {
    const { placesOfKey = Infinity, placesOfProject = Infinity, keptOfProject = 0 } = this.#limits
    if (!this.#roomFor(project) || key.running >= placesOfKey) return false
    return placesOfProject - project.running > (key.running === 0 ? 0 : keptOfProject)
  }

  #roomFor(project: ProjectState): boolean {
    if (project.running >= (this.#limits.placesOfProject ?? Infinity)) return false
    return this.#limits.places - this.#running > (project.running === 0 ? 0 : this.#kept)
  }

  #start(project: ProjectState, key: KeyState): void {
    this.#turn += 1
    this.#running += 1
    project.running += 1
    project.turn = this.#turn
    key.running += 1
    key.turn = this.#turn
  }

  #end(project: ProjectState, key: KeyState): void {
    this.#running -= 1
    project.running -= 1
    key.running -= 1
    for (let next = this.#first(); next !== undefined; next = this.#first()) next.start()
    this.#forget()
  }

  /** Of the projects that may run something the one that was let through longest ago, of its keys the same. */
  #first(): Waiter | undefined {
    let best: { readonly turn: number; readonly keyTurn: number; readonly waiter: Waiter } | undefined
    for (const project of this.#projects.values()) {
      if (project.waiting === 0 || !this.#roomFor(project)) continue
      for (const key of project.keys.values()) {
        const [waiter] = key.waiting
        if (waiter === undefined || !this.#mayRun(project, key)) continue
        const order =
          best === undefined
            ? -1
            : project.turn - best.turn || key.turn - best.keyTurn || waiter.arrived - best.waiter.arrived
        if (order < 0) best = { turn: project.turn, keyTurn: key.turn, waiter }
      }
    }
    return best?.waiter
  }

  #unqueue(project: ProjectState, key: KeyState, waiter: Waiter): void {
    if (!key.waiting.delete(waiter)) return
    project.waiting -= 1
    this.#waiting -= 1
  }

  #refuseTooMany(project: ProjectState, key: KeyState): void {
    const { waitingOfKey, waitingOfProject } = this.#limits
    if (key.waiting.size >= waitingOfKey) throw this.#busy(waitingOfKey, 'key')
    if (project.waiting >= waitingOfProject) throw this.#busy(waitingOfProject, 'project')
  }

  #busy(count: number, whose: 'key' | 'project'): Problem {
    const { what, retryAfterSeconds: retryAfter = 2 } = this.#limits
    const message = `${count} ${what} of this ${whose} are waiting already; try again in ${retryAfter} s`
    return new Problem('busy', message, { retryAfter })
  }

  #projectOf({ project }: Requester): ProjectState {
    const state = this.#projects.get(project) ?? { running: 0, waiting: 0, turn: 0, keys: new Map() }
    this.#projects.set(project, state)
    return state
  }

  /** Whose turn it is counts among those who wait: when nobody does, only what runs is remembered. */
  #forget(): void {
    if (this.#waiting > 0) return
    for (const [name, project] of this.#projects) {
      if (project.running === 0) this.#projects.delete(name)
      for (const [id, key] of project.keys) if (key.running === 0) project.keys.delete(id)
    }
  }
}

function keyOf(project: ProjectState, { key }: Requester): KeyState {
  const state = project.keys.get(key) ?? { running: 0, turn: 0, waiting: new Set() }
  project.keys.set(key, state)
  return state
}

export function late(what: string): Problem {
  return new Problem('deadline_exceeded', `It waited for earlier ${what} until its time was over`)
}
