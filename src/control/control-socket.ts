import { chmodSync, lstatSync, realpathSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Problem } from '../base/problem.js'

/** Bytes of a socket's path that every system takes (Linux has 108 with the zero at the end, macOS 104). */
const LONGEST = process.platform === 'linux' ? 107 : 103

/** Where the running server of a data directory is reached by commands. */
export function controlSocketPath(dataDir: string): string {
  return join(realpathSync(dataDir), 'control.sock')
}

/** Why there can't be a socket at a path, in a sentence; undefined when there can. */
export function pathFault(path: string): string | undefined {
  const bytes = Buffer.byteLength(path)
  if (bytes <= LONGEST) return undefined
  return `The path of the control socket has ${bytes} bytes and the system takes ${LONGEST}: ${path}. Use a data directory with a shorter path to let commands reach the running server`
}

/**
 * Makes the place of the socket free. Only for the holder of the store's lock: a socket that is still there was left by
 * a process that was killed.
 * @throws Problem `conflict` when something else is there, or someone answers
 */
export async function clearSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) {
    throw new Problem('conflict', `There is a file at ${path}, where the control socket belongs. Move it away.`)
  }
  if (await answers(path)) throw new Problem('conflict', `Another process answers at the control socket ${path}`)
  rmSync(path, { force: true })
}

/** Leaves the socket to its owner alone: whoever can open it is the operator. */
export function protectSocket(path: string): void {
  chmodSync(path, 0o600)
}

/** Whether a process takes connections at a socket; false when there is none. */
export function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ path })
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', end(true))
    socket.once('error', end(false))
  })
}
