import { type Answered, valueOf } from '../../admission/answered.js'
import type { Threads, ThreadWork, Turn } from '../../admission/threads.js'
import { Overrun } from '../../base/overrun.js'
import { Problem } from '../../base/problem.js'
import type { ReadTask } from './read-rubric-text.js'
import type { Rubric } from './rubric.js'

export const READ_RUBRIC: ThreadWork<ReadTask, Answered<Rubric>> = { name: 'readRubricText', deadlineMs: 30_000 }

/** Reads texts of rubrics. @throws Problem `invalid_input` with line and column, `too_large` */
export type ReadRubric = (text: string, tries: boolean, turn: Turn) => Promise<Rubric>

/** Reads rubrics in threads, with a bound on time and memory. */
export function readingIn(threads: Threads): ReadRubric {
  return async (text, tries, turn) => {
    try {
      return valueOf(await threads.run(READ_RUBRIC, { text, tries }, turn))
    } catch (error) {
      if (!(error instanceof Overrun)) throw error
      throw new Problem(
        'too_large',
        `Reading the rubric ${error.took}: make it smaller, with fewer and shorter phrases`,
      )
    }
  }
}

/**
 * Reads in this thread what is stored, and was read in others when it was set: for a command, which answers nobody beside. A thread
 * of its own costs it 0.4 s. What is to be set is still read in threads.
 */
export function readingStoredHere(threads: Threads): ReadRubric {
  const inThreads = readingIn(threads)
  return async (text, tries, turn) => {
    if (tries) return await inThreads(text, tries, turn)
    const { readRubricText } = await import('./read-rubric-text.js')
    return valueOf(readRubricText({ text, tries }))
  }
}
