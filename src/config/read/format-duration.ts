const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** Milliseconds as an operator would write them: 1800000 is `30m`. */
export function formatDuration(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => milliseconds > 0 && milliseconds % length === 0) ?? ['ms', 1]
  return `${milliseconds / size}${unit}`
}
