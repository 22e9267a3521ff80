import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { faultClass } from '../../../base/fault-class.js'
import { Problem } from '../../../base/problem.js'
import { StoreHeld } from '../../store-held.js'

/** Why the engine could not open a store, in a sentence for its operator; they know the path and may read it. */
export function openProblem(error: unknown, dataDir: string): Problem {
  const text = error instanceof Error ? error.message : String(error)
  const problem = sentence(text, dataDir)
  problem.cause = error
  return problem
}

/**
 * Why the first rows of a store could not be read: the engine reads little when it opens a file, so that a damaged one shows
 * only here. Anything else is handed back as it is.
 */
export function readProblem(error: unknown, dataDir: string): unknown {
  return faultClass(error) === 'damaged' ? openProblem(error, dataDir) : error
}

function sentence(text: string, dataDir: string): Problem {
  if (/Could not set lock/.test(text)) {
    const pid = Number(/PID (\d+)/.exec(text)?.[1])
    return new StoreHeld(
      `The data directory ${dataDir} is in use by ${holder(pid)}. Stop it, or give another directory.`,
      pid > 0 ? pid : undefined,
    )
  }
  if (/newer version|storage version|version number/i.test(text)) {
    return new Problem('conflict', `The store in ${dataDir} was written by a newer program; update this one to open it`)
  }
  if (/WAL|write-ahead/i.test(text)) {
    return new Problem(
      'store_unavailable',
      `The store in ${dataDir} cannot be opened: its write-ahead log is damaged. Nothing was changed; restore a backup, or move earshot.duckdb.wal away to go on without the writes it held`,
    )
  }
  if (/Permission denied|Read-only file system/i.test(text)) {
    return new Problem('store_unavailable', `The store in ${dataDir} cannot be opened: no permission to write there`)
  }
  return new Problem(
    'store_unavailable',
    `The store in ${dataDir} cannot be opened: its file is damaged or not a store. Nothing was changed; restore a backup`,
  )
}

/** @param pid 0 where the system knows the holder but this process can't see it, NaN where it doesn't say */
function holder(pid: number): string {
  if (pid === 0) return 'a process outside this container'
  if (!(pid > 0)) return 'another process'
  const name = processName(pid)
  return `process ${pid}${name === undefined ? '' : ` (${name})`}`
}

/**
 * What a process calls itself, such as `earshot serve`, or `undefined` where the system does not tell. Of its arguments
 * only a plain word is shown: others may be anything, secrets included.
 */
function processName(pid: number): string | undefined {
  try {
    const [program = '', script = '', command = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (basename(program) !== 'node') return basename(program) || undefined
    if (basename(script) !== 'earshot' && basename(script) !== 'earshot.cjs') return 'node'
    return /^[a-z][a-z-]*$/.test(command) ? `earshot ${command}` : 'earshot'
  } catch {
    return undefined
  }
}
