import { type MemorySettings, memoryFault, memoryNeed, memoryThere } from '../../config/memory.js'
import { formatBytes } from '../../config/read.js'
import { checkThreadPool, threadPoolSize } from '../../store/duckdb/thread-pool.js'
import { type Finding, findingsOf } from './finding.js'

const MiB = 1024 * 1024

/** Connections the store opens ahead, beside the one that writes: see openDuckDbStore. */
const CONNECTIONS = 7

/** Node itself and what it may use. */
export function checkMachine(settings: MemorySettings): readonly Finding[] {
  return [findingsOf('Node').ok(process.versions.node), checkThreads(), checkMemory(settings, memoryThere())]
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
