import type { Socket } from 'node:net'

/**
 * Drops clients that stop taking what they asked for. Node has no time-out for this: writing counts as activity, and a
 * heartbeat is written to a stalled client too.
 */
export class SlowReaders {
  readonly #patienceMs: number
  readonly #stalled = new Map<Socket, { taken: number; since: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
    this.#timer = setInterval(() => this.sweep(), Math.max(10, patienceMs / 3))
    this.#timer.unref()
  }

  watch(socket: Socket): void {
    this.#stalled.set(socket, { taken: 0, since: Date.now() })
    socket.once('close', () => this.#stalled.delete(socket))
  }

  sweep(now = Date.now()): void {
    for (const [socket, last] of this.#stalled) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== last.taken) this.#stalled.set(socket, { taken, since: now })
      else if (now - last.since >= this.#patienceMs) socket.destroy()
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
