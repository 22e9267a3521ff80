import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  update(done: number): void
  stop(): void
}

const silent: Progress = { update: () => undefined, stop: () => undefined }

/** A progress bar on stderr, on a terminal only; a plain count where the total is not known. */
export function startProgress(what: string, unit: string, total: number | undefined, { speed = false } = {}): Progress {
  if (!process.stderr.isTTY) return silent
  const known = `${what} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`
  const began = performance.now()
  const perSecond = (done: number) => Math.round((1000 * done) / Math.max(1, performance.now() - began))
  const bar = new SingleBar(
    {
      format:
        total === undefined
          ? `${what} | {value} ${unit} | {duration_formatted}`
          : speed
            ? `${known} | {speed} ${unit}/s`
            : known,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  bar.start(total ?? 0, 0, { speed: 0 })
  return { update: done => bar.update(done, { speed: perSecond(done) }), stop: () => bar.stop() }
}
