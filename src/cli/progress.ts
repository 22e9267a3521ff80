import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** @param counted how many of what is counted are done, where the bar is of something else */
  update(done: number, counted?: number): void
  stop(): void
}

interface Counted {
  /** What is counted beside the unit of the bar, such as the calls in bytes. */
  readonly counting?: string
  /** Where there is no terminal, a line now and then says how far it is: for what takes hours. */
  readonly lines?: boolean
}

const silent: Progress = { update: () => undefined, stop: () => undefined }

/**
 * A progress bar on stderr, on a terminal only; a plain count where the total is not known. What people wait for is counted,
 * and how many a second.
 */
export function startProgress(
  what: string,
  unit: string,
  total: number | undefined,
  { counting = unit, lines = false }: Counted = {},
): Progress {
  if (!process.stderr.isTTY) return lines ? linesOf(what, unit, total, counting) : silent
  const began = performance.now()
  const perSecond = (done: number) => Math.round((1000 * done) / Math.max(1, performance.now() - began))
  const bar = new SingleBar(
    {
      format: formatOf(what, unit, counting, total !== undefined),
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  bar.start(total ?? 0, 0, { counted: 0, speed: 0 })
  return {
    update: (done, counted = done) => bar.update(done, { counted, speed: perSecond(counted) }),
    stop: () => bar.stop(),
  }
}

/** So far apart, at the least. */
const LINE_EVERY_MS = 10_000

function linesOf(what: string, unit: string, total: number | undefined, counting: string): Progress {
  const began = performance.now()
  let last = began
  const number = (value: number) => value.toLocaleString('en')
  return {
    update: (done, counted = done) => {
      const now = performance.now()
      if (now - last < LINE_EVERY_MS) return
      last = now
      const of = total === undefined || counting !== unit ? '' : ` of ${number(total)}`
      const seconds = Math.round((now - began) / 1_000)
      const left = total === undefined || done === 0 ? undefined : Math.round((seconds * (total - done)) / done)
      const speed = counting === unit ? '' : `, ${number(Math.round(counted / seconds))} a second`
      const more = left === undefined ? '' : `, about ${number(left)} s left`
      process.stderr.write(`${what}: ${number(counted)}${of} ${counting} after ${number(seconds)} s${speed}${more}\n`)
    },
    stop: () => undefined,
  }
}

function formatOf(what: string, unit: string, counting: string, known: boolean): string {
  const speed = `{speed} ${counting}/s`
  if (!known) return `${what} | {counted} ${counting} | ${speed} | {duration_formatted}`
  const done = counting === unit ? `{value}/{total} ${unit}` : `{counted} ${counting}`
  return `${what} {bar} {percentage}% | ${done} | ${speed} | {eta_formatted} left`
}
