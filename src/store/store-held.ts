import { Problem } from '../base/problem.js'

/** Another process holds the store: a server that commands can be sent to, or one that is just starting or ending. */
export class StoreHeld extends Problem {
  /** Process id of the holder, where the system tells it. */
  readonly pid: number | undefined

  constructor(message: string, pid: number | undefined) {
    super('conflict', message)
    this.pid = pid
  }
}
