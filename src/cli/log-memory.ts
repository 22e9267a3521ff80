import type { Logger } from 'pino'
import { type MemorySettings, memoryFault, memoryNote, memoryThere } from '../config/memory.js'

/** Says at the start of a server when it may have less memory than it needs, or than it would use. */
export function logMemory(settings: MemorySettings, log: Pick<Logger, 'info' | 'warn'>, there = memoryThere()): void {
  const fault = memoryFault(settings, there)
  const note = memoryNote(settings, there)
  if (fault !== undefined) log.warn(`${fault.found}. ${fault.advice}`)
  else if (note !== undefined) log.info(note)
}
