import { benjaminiHochberg } from '../../statistics/benjamini-hochberg.js'
import type { Change, Tested } from './change.js'

/** A change found, before it has examples. */
export interface Found extends Tested {
  readonly q: number
  readonly significance: Change['significance']
  readonly direction: Change['direction']
}

const LEVELS = [
  { below: 0.01, significance: 'high' },
  { below: 0.05, significance: 'medium' },
  { below: 0.1, significance: 'low' },
] as const

const RANK: Readonly<Record<Change['significance'], number>> = { high: 0, medium: 1, low: 2 }

function directionOf({
  value = 0,
  baselineValue = 0,
  occurrences,
  baselineOccurrences,
  isShare,
}: Tested): Change['direction'] {
  if (isShare && baselineOccurrences === 0) return 'new'
  if (isShare && occurrences === 0) return 'gone'
  return value >= baselineValue ? 'up' : 'down'
}

/** How large a change is, so that shares and means (of 1–5) rank together: means by their part of the scale. */
function size({ value = 0, baselineValue = 0, isShare }: Tested): number {
  return Math.abs(value - baselineValue) / (isShare ? 1 : 4)
}

/** What of everything tested is a change after correction, ranked by significance and then by size. */
export function significantChanges(tested: readonly Tested[]): readonly Found[] {
  const qs = benjaminiHochberg(tested.map(one => one.p))
  return tested
    .flatMap((one, i): readonly Found[] => {
      const q = qs[i]!
      const level = LEVELS.find(({ below }) => q < below)
      return level === undefined ? [] : [{ ...one, q, significance: level.significance, direction: directionOf(one) }]
    })
    .toSorted(
      (a, b) =>
        RANK[a.significance] - RANK[b.significance] ||
        size(b) - size(a) ||
        (`${a.category}${a.key}` < `${b.category}${b.key}` ? -1 : 1),
    )
}
