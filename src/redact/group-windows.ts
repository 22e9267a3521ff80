import type { DigitRun } from './digit-runs.js'

/** Whole groups of a run that stand together. */
export interface GroupWindow {
  readonly digits: string
  /** Place in the text. */
  readonly start: number
  readonly end: number
  /** Digits of each group. */
  readonly lengths: readonly number[]
  /** It begins with the run. */
  readonly first: boolean
}

/** The windows of `least` to `most` digits that begin with the group of that index, the longest first. */
export function groupWindows(run: DigitRun, group: number, least: number, most: number): readonly GroupWindow[] {
  const { digits, groups, places } = run
  const from = groups[group] ?? digits.length
  const windows: GroupWindow[] = []
  const lengths: number[] = []
  for (let index = group; index < groups.length; index += 1) {
    const until = groups[index + 1] ?? digits.length
    if (until - from > most) break
    lengths.push(until - (groups[index] ?? until))
    if (until - from < least) continue
    const start = places[from]?.start ?? 0
    const end = places[until - 1]?.end ?? start
    windows.push({ digits: digits.slice(from, until), start, end, lengths: [...lengths], first: group === 0 })
  }
  return windows.toReversed()
}
