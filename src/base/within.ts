/** What a promise resolves to; or, when that takes longer than so many milliseconds, something else. The promise goes on. */
export async function within<T, L>(ms: number, promise: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<L>(resolve => {
    timer = setTimeout(() => resolve(late()), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
