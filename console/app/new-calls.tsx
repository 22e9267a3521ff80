import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal, Unreachable } from '../client/ask.js'
import { type Filters, totals } from '../client/live.js'
import { isSignedOut, queries, sessionQuery } from './queries.js'

/** Streams of a browser at a time: over HTTP/1.1 it has six connections to a host, and its pages need some to ask. */
const STREAMS_OF_BROWSER = 3
/** Until a stream that ended is asked for again: the first time, and at most. */
const RETRY_MS = 2_000
const LONGEST_RETRY_MS = 5 * 60_000
const TOO_MANY = 429
const FAILED = 500

interface NewCallsProps {
  /** Which calls the view is about. */
  readonly filters: Filters
  /** How many of them there were when it was drawn; undefined until it is. */
  readonly shown: number | undefined
}

/** Says how many calls have come that a view does not have yet, and takes them when asked: nothing moves by itself under who reads. */
export function NewCalls({ filters, shown }: NewCallsProps) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const total = useTotal(filters, shown !== undefined)
  const count = shown === undefined || total === undefined ? 0 : total - shown
  const take = async () => {
    setBusy(true)
    await takeNewCalls()
    setBusy(false)
    // The button is gone, and with it the place of who moves by keys.
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  return (
    <div className="new-calls" role="status">
      {count > 0 && (
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void take()}>
          {t('calls.new', { count })}
        </button>
      )}
    </div>
  )
}

/** Asks anew for what is in sight; what else is kept is asked for when it is opened. */
async function takeNewCalls(): Promise<void> {
  // Of a list its beginning: the rest follows as it is scrolled to.
  queries.setQueriesData<InfiniteData<unknown>>(
    { queryKey: ['search_calls', 'pages'] },
    list => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  )
  await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== sessionQuery.queryKey[0] })
}

/** How many calls there are by now, while the page is in sight: one that is not holds no connection. */
function useTotal(filters: Filters, isWanted: boolean): number | undefined {
  const [told, setTold] = useState<{ readonly key: string; readonly total: number }>()
  const isVisible = useSyncExternalStore(watchSight, () => document.visibilityState === 'visible')
  const key = JSON.stringify(filters)
  const isOpen = isWanted && isVisible
  useEffect(() => {
    if (!isOpen) return
    const left = new AbortController()
    void follow(JSON.parse(key) as Filters, total => setTold({ key, total }), left.signal)
    return () => left.abort()
  }, [key, isOpen])
  return told?.key === key ? told.total : undefined
}

function watchSight(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** Never rejects: who can't be told sees a page as it was when it was opened. */
async function follow(filters: Filters, tell: (total: number) => void, signal: AbortSignal): Promise<void> {
  let retryMs = RETRY_MS
  // oxlint-disable no-await-in-loop -- one stream after the other
  while (!signal.aborted) {
    try {
      await inPlace(async () => {
        for await (const total of totals(filters, signal)) {
          tell(total)
          retryMs = RETRY_MS
        }
      })
    } catch (error) {
      if (signal.aborted) return
      if (isSignedOut(error)) return await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      if (!(error instanceof Unreachable) && !isPassing(error)) return
    }
    await pause(retryMs, signal)
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
  // oxlint-enable no-await-in-loop
}

/** Runs something in one of the browser's places, if one is free. Without TLS browsers keep no account of them; then it runs in any case. */
async function inPlace(run: () => Promise<void>): Promise<void> {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return await run()
  // oxlint-disable no-await-in-loop -- the first that is free
  for (let place = 0; place < STREAMS_OF_BROWSER; place += 1) {
    const hasRun = await locks.request(`earshot-live-${place}`, { ifAvailable: true }, async lock => {
      if (lock !== null) await run()
      return lock !== null
    })
    if (hasRun) return
  }
  // oxlint-enable no-await-in-loop
}

/** Whether what was refused now may be had later. */
function isPassing(error: unknown): boolean {
  return error instanceof Refusal && (error.status === TOO_MANY || error.status >= FAILED)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
