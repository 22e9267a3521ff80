import Table from 'cli-table3'
import columnsOf from 'string-width'

/** Columns of a terminal that a column of a table has at least. */
const NARROWEST = 4

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
 * @param right titles of the columns that hold numbers
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  right: readonly string[] = [],
): string {
  if (width !== undefined && head.length > columnsIn(width)) {
    const kept = columnsIn(width)
    return tableText(
      head.slice(0, kept),
      rows.map(row => row.slice(0, kept)),
      width,
      right,
    )
  }
  const natural = head.map((title, i) =>
    rows.reduce((most, row) => Math.max(most, columnsOf(row[i] ?? '')), columnsOf(title)),
  )
  const table = new Table({
    head: [...head],
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: fit(natural, width),
    colAligns: head.map(title => (right.includes(title) ? 'right' : 'left')),
  })
  table.push(...rows.map(row => [...row]))
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`
}

/** How many columns have room at their narrowest. What stands further right is left out: it is the least. */
function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + 2) / (NARROWEST + 2)))
}

function fit(natural: readonly number[], width: number | undefined): number[] {
  const widths = [...natural]
  if (width === undefined) return widths
  const room = width - 2 * (widths.length - 1)
  let excess = widths.reduce((sum, one) => sum + one, 0) - room
  while (excess > 0) {
    const [first = 0, ...others] = widths
    const yields = first > width / 2 || others.every(one => one <= NARROWEST) ? widths : others
    const widest = Math.max(...yields)
    if (widest <= NARROWEST) break
    widths[widths.indexOf(widest, yields === widths ? 0 : 1)] = widest - 1
    excess -= 1
  }
  return widths
}
