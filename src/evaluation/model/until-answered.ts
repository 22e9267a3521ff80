import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { ModelEndpoint } from './model-endpoint.js'
import { ModelFault } from './model-fault.js'

/** Longest pause between two attempts that the endpoint did not ask for. */
const MOST_PAUSE_MS = 60_000

/**
 * Asks again while a ModelFault says that it may help, with growing pauses, or as long as the endpoint asks to wait.
 * @throws ModelFault of the last attempt, or the signal's reason
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { attempts, firstRetryMs }: Pick<ModelEndpoint, 'attempts' | 'firstRetryMs'>,
  signal: AbortSignal,
): Promise<T> {
  return await pRetry(ask, {
    retries: attempts - 1,
    minTimeout: firstRetryMs,
    maxTimeout: MOST_PAUSE_MS,
    factor: 2,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => error instanceof ModelFault && error.again,
    onFailedAttempt: async ({ error, retriesLeft }) => {
      if (retriesLeft === 0 || !(error instanceof ModelFault) || error.waitMs === undefined) return
      await pause(error.waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  })
}
