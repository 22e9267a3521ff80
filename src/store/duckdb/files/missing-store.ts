import { Problem } from '../../../base/problem.js'
import { AcknowledgedWrites } from './acknowledged-writes.js'
import type { DuckDbStoreOptions, Expected } from '../duckdb-store-options.js'
import type { StoreFiles } from './store-files.js'

/** A store that is gone though there are signs of it. */
export interface MissingStore {
  /** What is missing, in a sentence for the operator. */
  readonly problem: Problem
  /**
   * Makes way for a new store where the operator has named just this loss; what is left of the old one is put aside.
   * @throws Problem where they have not
   */
  accept(options: Pick<DuckDbStoreOptions, 'acceptLoss' | 'log' | 'onLossAccepted'>): void
}

/**
 * Whether a directory lacks its store: undefined where it is there, `new` where nothing says that there ever was one.
 * The engine would make a new, empty one in silence.
 * @throws Problem where a restore was cut off
 */
export async function missingStore(
  files: StoreFiles,
  expected: Expected | undefined,
): Promise<MissingStore | 'new' | undefined> {
  const size = files.size()
  if (size !== undefined && size > 0) return undefined
  // Before anything is said of a loss: nothing is lost, and whoever accepted one would begin empty.
  if (files.isHalfRestored()) {
    throw new Problem(
      'store_unavailable',
      `A restore into ${files.dataDir} was cut off, so that only a part of the backup is there. Remove the directory and restore again.`,
    )
  }
  const signs = await signsOf(files, expected)
  if (size === undefined && signs.length === 0) return 'new'
  const left = signs.map(({ what: sign }) => sign).join(' and ')
  const what = size === 0 ? 'is empty' : `is gone, though ${left} ${signs.length === 1 ? 'is' : 'are'} there`
  const name = signs[0]?.name ?? 'all'
  const sentence = `The store's file ${files.file} ${what}`
  const problem = new Problem(
    'store_unavailable',
    `${sentence}. Restore a backup, or start once with EARSHOT_ACCEPT_LOSS=${name} to begin with an empty store. Nothing was changed.`,
  )
  return {
    problem,
    accept: ({ acceptLoss, log, onLossAccepted }) => {
      if (acceptLoss !== name) throw problem
      const aside = files.putAside()
      log?.error({ put_aside: aside }, `${sentence}. The operator has accepted that; the store begins empty`)
      onLossAccepted?.(name)
    },
  }
}

/** What is left of a store whose file is gone, with a name for the loss that no later loss will have. */
async function signsOf(files: StoreFiles, expected: Expected | undefined): Promise<readonly Expected[]> {
  const recorded = await AcknowledgedWrites.read(files.acknowledged)
  const record = { what: 'its record of acknowledged writes' }
  return [
    ...(typeof recorded === 'string' ? [] : [{ ...record, name: `0-${recorded.writes}` }]),
    ...(recorded === 'damaged' ? [{ ...record, name: 'all' }] : []),
    ...(files.hasLog() ? [{ what: 'its write-ahead log', name: 'all' }] : []),
    ...(expected === undefined ? [] : [expected]),
  ]
}
