import type { NotReady } from './not-ready.js'
import { within } from './within.js'

const NO_ANSWER: NotReady = { code: 'store_unavailable' }

/**
 * A look at whether something answers, safe to let anyone trigger: looks that are asked for together share one, and
 * none takes longer than `patienceMs`.
 *
 * @param look resolves to nothing when all is well, else to the reason
 * @returns the same; a rejection and a look that takes too long read `store_unavailable`
 */
export function sharedLook(
  look: () => Promise<NotReady | undefined>,
  patienceMs: number,
): () => Promise<NotReady | undefined> {
  let looking: Promise<NotReady | undefined> | undefined
  return async () => {
    looking ??= patiently(look, patienceMs).finally(() => {
      looking = undefined
    })
    return await looking
  }
}

async function patiently(look: () => Promise<NotReady | undefined>, patienceMs: number): Promise<NotReady | undefined> {
  try {
    return await within(patienceMs, look(), () => NO_ANSWER)
  } catch {
    return NO_ANSWER
  }
}
