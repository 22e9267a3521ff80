import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  update(done: number): void
  stop(): void
}

const silent: Progress = { update: () => undefined, stop: () => undefined }

/** A progress bar on stderr, on a terminal only; a plain count where the total is not known. */
export function startProgress(what: string, unit: string, total: number | undefined): Progress {
  if (!process.stderr.isTTY) return silent
  const known = `${what} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`
  const bar = new SingleBar(
    {
      format: total === undefined ? `${what} | {value} ${unit} | {duration_formatted}` : known,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  bar.start(total ?? 0, 0)
  return { update: done => bar.update(done), stop: () => bar.stop() }
}
