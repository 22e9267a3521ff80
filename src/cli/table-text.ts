import Table from 'cli-table3'

const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/**
 * A table that fits the terminal; the widest columns give way first, but not the first one up to half of the width: by
 * what stands there a row is named to the next command. Elsewhere than on a terminal nothing is cut.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const natural = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const table = new Table({
    head: [...head],
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: fit(natural, width),
  })
  table.push(...rows.map(row => [...row]))
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`
}

function fit(natural: readonly number[], width: number | undefined): number[] {
  const widths = [...natural]
  if (width === undefined) return widths
  const room = width - 2 * (widths.length - 1)
  let excess = widths.reduce((sum, one) => sum + one, 0) - room
  while (excess > 0) {
    const [first = 0, ...others] = widths
    const yields = first > width / 2 || others.every(one => one <= 4) ? widths : others
    const widest = Math.max(...yields)
    if (widest <= 4) break
    widths[widths.indexOf(widest, yields === widths ? 0 : 1)] = widest - 1
    excess -= 1
  }
  return widths
}
