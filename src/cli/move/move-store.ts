import { listed } from '../../base/issue-sentence.js'
import { Problem } from '../../base/problem.js'
import type { Store } from '../../store/store.js'
import { Digest, hashOf } from './digest.js'
import { countCalls, moveCalls } from './move-calls.js'
import { beforeCalls, behindCalls, type MovedKind } from './moved-kinds.js'

/** What moved of a kind, as it was read in both stores. */
export interface MovedPartReport {
  readonly part: string
  readonly rows: number
  /** The sum of the SHA-256 of all rows. */
  readonly digest: string
  readonly rows_there: number
  readonly digest_there: string
}

interface MoveOrder {
  readonly source: Store
  readonly target: Store
  /** Nothing is written: both are read and compared. */
  readonly compareOnly: boolean
  readonly onPart: (name: string) => void
  readonly onCalls: (calls: number) => void
  readonly signal: AbortSignal
}

/**
 * Makes a store have what another has. What is there just so is not written again, so that a move that was cut off goes on where
 * it was. Each part is read once more where it came to, and added up in both.
 * @throws Problem `conflict` where the other store keeps projects that are not this one's
 */
export async function moveStore(order: MoveOrder): Promise<readonly MovedPartReport[]> {
  const { source, target, compareOnly, onPart, signal } = order
  const projects = (await source.projects.all()).map(({ project_id }) => project_id)
  const others = (await target.projects.all()).map(one => one.project_id).filter(id => !projects.includes(id))
  if (others.length > 0 && !compareOnly) {
    throw new Problem(
      'conflict',
      `The store that is moved to keeps something else: project ${listed(others)}. Name one that is new, or one that this move was begun in`,
    )
  }
  const reports: MovedPartReport[] = []
  for (const kind of beforeCalls) {
    onPart(kind.name)
    reports.push(await moveKind(kind, order))
  }
  onPart('calls')
  const [read, there] = [new Digest(), new Digest()]
  for (const project of projects) {
    await (compareOnly ? countCalls(source, project, read, signal) : moveCalls({ ...order, project, digest: read }))
    await countCalls(target, project, there, signal)
  }
  reports.push(reportOf('calls', read, there))
  for (const kind of behindCalls) {
    onPart(kind.name)
    reports.push(await moveKind(kind, order))
  }
  return reports
}

async function moveKind(kind: MovedKind, { source, target, compareOnly, signal }: MoveOrder): Promise<MovedPartReport> {
  signal.throwIfAborted()
  const read = new Digest()
  for await (const rows of kind.rows(source)) for (const row of rows) read.add(hashOf(row))
  let there = await digestOf(kind, target)
  if (!compareOnly && there.digest.toString() !== read.toString()) {
    await kind.take(target, source, row => there.hashes.has(hashOf(row)))
    there = await digestOf(kind, target)
  }
  return reportOf(kind.name, read, there.digest)
}

async function digestOf(kind: MovedKind, store: Store): Promise<{ digest: Digest; hashes: ReadonlySet<string> }> {
  const digest = new Digest()
  const hashes = new Set<string>()
  for await (const rows of kind.rows(store)) {
    for (const row of rows) {
      const hash = hashOf(row)
      digest.add(hash)
      // What is replaced as a whole may be much.
      if (!kind.replaces) hashes.add(hash)
    }
  }
  return { digest, hashes }
}

const reportOf = (part: string, read: Digest, there: Digest): MovedPartReport => ({
  part,
  rows: read.rows,
  digest: read.toString(),
  rows_there: there.rows,
  digest_there: there.toString(),
})

export const isMoved = ({ digest, digest_there: there, rows, rows_there: rowsThere }: MovedPartReport): boolean =>
  digest === there && rows === rowsThere
