const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const

/** A number of bytes as an operator would write it: 1048576 is `1MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && value % 1024 === 0 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return unit === 0 ? String(value) : `${value}${UNITS[unit]}`
}
