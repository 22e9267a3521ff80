import type { NotReady } from './not-ready.js'

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
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<NotReady>(resolve => {
    timer = setTimeout(() => resolve(NO_ANSWER), patienceMs)
  })
  try {
    return await Promise.race([look(), patience])
  } catch {
    return NO_ANSWER
  } finally {
    clearTimeout(timer)
  }
}
