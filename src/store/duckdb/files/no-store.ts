import { existsSync } from 'node:fs'
import { Problem } from '../../../base/problem.js'

/** For a command that works on a store, in a directory without one: most likely the wrong directory. */
export function noStore(dataDir: string): Problem {
  return new Problem(
    'not_found',
    `There is no store in ${dataDir}. Name the directory of yours with --data-dir or EARSHOT_DATA_DIR; "earshot project create" and "earshot serve" begin a new one`,
  )
}

/** Refuses a data directory that is not there, before anything would make it. */
export function refuseNoDirectory(dataDir: string): void {
  if (!existsSync(dataDir)) throw noStore(dataDir)
}
