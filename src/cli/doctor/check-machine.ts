import { type MemorySettings, memoryFault, memoryNeed, memoryThere } from '../../config/memory.js'
import { formatBytes } from '../../config/read/format-bytes.js'
import { checkThreadPool, threadPoolSize } from '../../store/duckdb/thread-pool.js'
import { type Finding, findingsOf } from './finding.js'

const MiB = 1024 * 1024

/** Oldest Node that runs this: see "engines" in package.json. */
const NODE = { major: 20, minor: 19 }

/** Connections the store opens ahead, beside the one that writes: see openDuckDbStore. */
const CONNECTIONS = 7

/** Node itself and what it may use. */
export function checkMachine(settings: MemorySettings): readonly Finding[] {
  return [checkNode(process.versions.node), checkThreads(), checkMemory(settings, memoryThere())]
}

/** @param version such as `20.19.0` */
export function checkNode(version: string): Finding {
  const { ok, fail } = findingsOf('Node')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > NODE.major || (major === NODE.major && minor >= NODE.minor)
  return isNew ? ok(version) : fail(version, `Install Node ${NODE.major}.${NODE.minor} or newer`)
}

function checkThreads(): Finding {
  const { ok, fail } = findingsOf('Thread pool')
  const size = threadPoolSize()
  try {
    checkThreadPool(size, CONNECTIONS)
    return ok(`${size} threads`)
  } catch {
    const advice = 'Unset UV_THREADPOOL_SIZE, or set it to 24 before Node starts'
    return fail(`${size} threads: queries could take them all`, advice)
  }
}

/** @param there bytes this process may have */
export function checkMemory(settings: MemorySettings, there: number): Finding {
  const { ok, warn } = findingsOf('Memory')
  const fault = memoryFault(settings, there)
  if (fault !== undefined) return warn(fault.found, fault.advice)
  const [need, have] = [memoryNeed(settings), Math.floor(there / MiB) * MiB].map(formatBytes)
  return ok(`engine ${formatBytes(settings.memoryLimit)}, with all else ${need} of ${have}`)
}
