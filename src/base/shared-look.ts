/**
 * A look at whether something answers, safe to let anyone trigger: looks that are asked for together share one, and
 * none takes longer than `patienceMs`.
 *
 * @param look resolves to nothing when all is well, else to one word for the reason
 * @returns the same; a rejection and a look that takes too long read `store_unavailable`
 */
export function sharedLook(
  look: () => Promise<string | undefined>,
  patienceMs: number,
): () => Promise<string | undefined> {
  let looking: Promise<string | undefined> | undefined
  return async () => {
    looking ??= patiently(look, patienceMs).finally(() => {
      looking = undefined
    })
    return await looking
  }
}

async function patiently(look: () => Promise<string | undefined>, patienceMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve('store_unavailable'), patienceMs)
  })
  try {
    return await Promise.race([look(), patience])
  } catch {
    return 'store_unavailable'
  } finally {
    clearTimeout(timer)
  }
}
