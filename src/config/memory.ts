import { totalmem } from 'node:os'
import { formatBytes } from './read.js'

const MiB = 1024 * 1024

/** What the engine and each of the two threads that run evaluated stages may use, bytes. */
export interface MemorySettings {
  readonly memoryLimit: number
  readonly evaluationMemory: number
}

/**
 * Little enough that the process stays under 1.5 GiB whatever is asked (the engine takes what it is given, and memory it
 * does not count besides), and enough for calls of 100 kB: 2,048 of them are packed as one, which takes about 2.5 times
 * their text.
 */
const USUAL: MemorySettings = { memoryLimit: 768 * MiB, evaluationMemory: 256 * MiB }

/** The least that the settings take. */
export const LEAST_MEMORY: MemorySettings = { memoryLimit: 128 * MiB, evaluationMemory: 32 * MiB }

/** What the process takes beside engine and evaluated stages: see "Memory" in docs/benchmarks.md. */
const PROCESS = 256 * MiB

/**
 * Whether the engine is given what it usually is, which tells that the process may have it: then a command may take memory for
 * speed.
 */
export function isRoomy({ memoryLimit }: Pick<MemorySettings, 'memoryLimit'>): boolean {
  return memoryLimit >= USUAL.memoryLimit
}

/** What the process needs with these settings. */
export function memoryNeed({ memoryLimit, evaluationMemory }: MemorySettings): number {
  return memoryLimit + 2 * evaluationMemory + PROCESS
}

/** What holds where nothing is set: the usual, or less of both, in about the same ratio, where the process may have less. */
export function memoryDefaults(there: number): MemorySettings {
  const rest = there - PROCESS
  const share = rest / (memoryNeed(USUAL) - PROCESS)
  const between = (least: number, bytes: number, most: number): number =>
    Math.min(most, Math.max(least, Math.floor(bytes / MiB) * MiB))
  const memoryLimit = between(LEAST_MEMORY.memoryLimit, share * USUAL.memoryLimit, USUAL.memoryLimit)
  const evaluationMemory = between(LEAST_MEMORY.evaluationMemory, (rest - memoryLimit) / 2, USUAL.evaluationMemory)
  return { memoryLimit, evaluationMemory }
}

/** What this process may have: its container's limit where there is one, which reads as more than any machine where not. */
export function memoryThere(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

/** A sentence, and what to do about it. */
interface MemoryFault {
  readonly found: string
  readonly advice: string
}

/** That the settings don't fit into what the process may have, and what would; undefined when they do. */
export function memoryFault(settings: MemorySettings, there: number): MemoryFault | undefined {
  const need = memoryNeed(settings)
  if (need <= there) return undefined
  const fitting = memoryDefaults(there)
  const room = `give the process ${formatBytes(need)}`
  return {
    found: `The process may have ${shown(there)} and needs ${formatBytes(need)} with EARSHOT_MEMORY_LIMIT=${formatBytes(settings.memoryLimit)} and EARSHOT_EVALUATION_MEMORY=${formatBytes(settings.evaluationMemory)}: the system may kill it`,
    advice:
      memoryNeed(fitting) <= there
        ? `Set EARSHOT_MEMORY_LIMIT to ${formatBytes(fitting.memoryLimit)} and EARSHOT_EVALUATION_MEMORY to ${formatBytes(fitting.evaluationMemory)}, as they are when they are not set, or ${room}`
        : `It takes ${formatBytes(memoryNeed(LEAST_MEMORY))} at least, with EARSHOT_MEMORY_LIMIT=${formatBytes(LEAST_MEMORY.memoryLimit)} and EARSHOT_EVALUATION_MEMORY=${formatBytes(LEAST_MEMORY.evaluationMemory)}`,
  }
}

/** That less than usual is used because there is less; undefined when nothing was made to fit. */
export function memoryNote(settings: MemorySettings, there: number): string | undefined {
  const { memoryLimit, evaluationMemory } = memoryDefaults(there)
  const isMade = settings.memoryLimit === memoryLimit && settings.evaluationMemory === evaluationMemory
  if (!isMade || (memoryLimit === USUAL.memoryLimit && evaluationMemory === USUAL.evaluationMemory)) return undefined
  return `The process may have ${shown(there)}: the engine is given ${formatBytes(memoryLimit)} of it and evaluated stages ${formatBytes(evaluationMemory)} each`
}

function shown(bytes: number): string {
  return formatBytes(Math.floor(bytes / MiB) * MiB)
}
