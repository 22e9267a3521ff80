import { createHash } from 'node:crypto'
import { normalName } from '../base/text.js'
import { factOf } from './mapping/apply-map.js'
import type { PlacedRecord } from './prepare-pieces.js'
import type { Reading } from './reading.js'
import type { Source } from './sources.js'
import { type ReadOptions, tasksOf } from './tasks-of.js'
import type { Preparer } from './worker-pool.js'

/**
 * Ids that files give to different calls of one import, with the files: which of them is meant nobody can tell, so none is
 * taken. Only files whose names make the same id are read for it, before the import begins.
 *
 * @param createPreparer makes what prepares records without evaluating them; called when there is something to read
 */
export async function contestedIds(
  sources: readonly Source[],
  options: ReadOptions,
  createPreparer: () => Preparer,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rivals = [...byId(sources, options.reading)].filter(([, { length }]) => length > 1)
  if (rivals.length === 0) return new Map()
  const preparer = createPreparer()
  try {
    const contested = new Map<string, readonly string[]>()
    // oxlint-disable no-await-in-loop -- one file at a time bounds the memory
    for (const [id, among] of rivals) {
      const files = new Set<string>()
      const contents = new Set<string>()
      for (const source of among) {
        for await (const { session_id, placed, json } of recordsOf(source, options, preparer)) {
          if (placed === undefined || session_id !== id) continue
          files.add(source.name)
          contents.add(createHash('sha256').update(json).digest('hex'))
        }
      }
      if (contents.size > 1) contested.set(id, [...files])
    }
    // oxlint-enable no-await-in-loop
    return contested
  } finally {
    await preparer.close()
  }
}

function byId(sources: readonly Source[], reading: Reading): ReadonlyMap<string, readonly Source[]> {
  const found = new Map<string, Source[]>()
  for (const source of sources) {
    const id = idOf(source, reading)
    if (id === undefined) continue
    const others = found.get(id)
    if (others === undefined) found.set(id, [source])
    else others.push(source)
  }
  return found
}

/** What the call in a file is called where nothing in it says so. */
function idOf({ name, ids }: Source, { mapping, timeZone }: Reading): string | undefined {
  // What has no place is read once only.
  if (ids === undefined) return undefined
  const rule = mapping.findLast(({ target, source }) => target === 'session_id' && source.from === 'file')
  if (rule?.source.from !== 'file') return ids.id
  const fact = factOf(rule.source.what, name, timeZone)
  return typeof fact === 'string' ? normalName(fact) : undefined
}

/** The good records of a source. */
async function* recordsOf(source: Source, options: ReadOptions, preparer: Preparer): AsyncGenerator<PlacedRecord> {
  for await (const cut of tasksOf(source, { ...options, onBytes: () => {} })) {
    options.signal?.throwIfAborted()
    if (cut.kind === 'task') yield* (await preparer.run({ ...cut.task, mostRejects: 0 })).records
  }
}
