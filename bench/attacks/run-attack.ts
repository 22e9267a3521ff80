import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { attacks, type Hostile, type Tally } from './attacks.js'

/** What the thread of an attack is given, and says when it was told to stop. */
export interface AttackOrder {
  readonly name: string
  readonly hostile: Hostile
}
export type AttackReport = readonly (readonly [outcome: string, count: number])[]

// Attackers have processors of their own: what an attack costs whoever runs it must not be taken from the service. (On Linux this is
// the priority of the calling thread.)
setPriority(constants.priority.PRIORITY_LOW)

// A thread of its own, so that the quiet tenant's clock is not kept waiting by the one who attacks it.
const { name, hostile } = workerData as AttackOrder
const attack = attacks.find(one => one.name === name)
const tally: Tally = new Map()
const ended = new AbortController()
parentPort?.once('message', () => ended.abort())
await attack?.run(hostile, ended.signal, tally).catch(() => undefined)
parentPort?.postMessage([...tally] satisfies AttackReport)
// Requests on their way are broken off.
process.exit()
