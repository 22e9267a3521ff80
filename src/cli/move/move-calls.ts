import type { Readable } from 'node:stream'
import { callerOfOperator } from '../../access/caller-of.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { exportCalls } from '../../questions/export/export-calls.js'
import type { PreparedCall, Store } from '../../store/store.js'
import { type Digest, hashOf } from './digest.js'

/** Calls that are written together, and bytes of them. */
const BATCH = 512
const BATCH_BYTES = 8 * 1024 * 1024

/** A call as it is stored, in the order of created_dt and session_id. */
interface StoredCall {
  readonly session_id: string
  readonly created_dt: string
  readonly agent_id: string
  readonly agent_name: string
}

interface Read {
  readonly call: StoredCall
  readonly hash: string
  readonly json: string
}

interface CallsOrder {
  readonly project: string
  readonly source: Store
  readonly target: Store
  /** Of the source's calls. */
  readonly digest: Digest
  /** Hears how many calls came by. */
  readonly onCalls: (calls: number) => void
  readonly signal: AbortSignal
}

/** Makes a store have the calls of a project as another has them. Calls that are there just so are passed over. */
export async function moveCalls(order: CallsOrder): Promise<void> {
  const { project, source, target, digest, onCalls, signal } = order
  const there = reading(target, project, signal)
  let next = await there.next()
  let batch: PreparedCall[] = []
  let bytes = 0
  const write = async () => {
    if (batch.length === 0) return
    const { stored, unkept } = await target.calls.upsert(project, batch)
    if (unkept.length > 0) {
      const each = unkept.map(({ session_id: id, why }) => `call ${echo(id)} ${why}`)
      throw new Problem('conflict', `Project ${project} can't move as it is: ${each.join('; ')}`)
    }
    if (stored < batch.length) {
      throw new Problem(
        'conflict',
        `${batch.length - stored} calls of project ${project} were not taken: they are erased or held where they move to`,
      )
    }
    batch = []
    bytes = 0
  }
  try {
    for await (const read of reading(source, project, signal)) {
      digest.add(read.hash)
      onCalls(1)
      while (next.done !== true && isBefore(next.value.call, read.call)) next = await there.next()
      if (next.done !== true && next.value.hash === read.hash) continue
      const { session_id, agent_id, agent_name } = read.call
      batch.push({ session_id, agent_id, agent_name, json: read.json })
      bytes += read.json.length
      if (batch.length >= BATCH || bytes >= BATCH_BYTES) await write()
    }
    await write()
  } finally {
    await there.return?.(undefined)
  }
}

/** Adds up the calls of a project. */
export async function countCalls(store: Store, project: string, digest: Digest, signal: AbortSignal): Promise<void> {
  for await (const { hash } of reading(store, project, signal)) digest.add(hash)
}

async function* reading(store: Store, project: string, signal: AbortSignal): AsyncGenerator<Read> {
  const { lines } = await exportCalls(store, { caller: callerOfOperator(project), signal })
  try {
    for await (const json of linesOf(lines)) {
      const call = JSON.parse(json) as StoredCall
      yield { call, hash: hashOf(call), json }
    }
  } finally {
    lines.destroy()
  }
}

async function* linesOf(lines: Readable): AsyncGenerator<string> {
  // Pieces of whole lines.
  for await (const piece of lines as AsyncIterable<string>)
    for (const line of piece.split('\n')) if (line !== '') yield line
}

/** Whether a call stands before another, by when it began and by the bytes of its id. */
function isBefore(a: StoredCall, b: StoredCall): boolean {
  if (a.created_dt !== b.created_dt) return a.created_dt < b.created_dt
  return Buffer.compare(Buffer.from(a.session_id), Buffer.from(b.session_id)) < 0
}
