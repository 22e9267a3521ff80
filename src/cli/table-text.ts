import Table from 'cli-table3'
import columnsOf from 'string-width'

/** Columns of a terminal that a column of text has at least, where it has as much to say. */
const NARROWEST = 4

/** Rows laid out together: the time it takes grows with the square of them. */
const BLOCK_ROWS = 200

/** Columns between two columns. */
const GAP = 2

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
  const natural = head.map((title, i) =>
    rows.reduce((most, row) => Math.max(most, columnsOf(row[i] ?? '')), columnsOf(title)),
  )
  // Half a number or half a bar would say something else.
  const whole = head.map(title => right.includes(title) || title === '')
  const least = natural.map((one, i) => (whole[i] === true ? one : leastOf(one, i === 0, width)))
  const kept = columnsIn(least, width)
  const colWidths = fit(natural.slice(0, kept), least, width)
  const colAligns = head.map(title => (right.includes(title) ? ('right' as const) : ('left' as const)))
  const blocks: string[] = []
  for (let start = 0; start === 0 || start < rows.length; start += BLOCK_ROWS) {
    const table = new Table({
      ...(start === 0 ? { head: head.slice(0, kept) } : {}),
      chars: PLAIN,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colWidths,
      colAligns,
    })
    for (const row of rows.slice(start, start + BLOCK_ROWS)) table.push(row.slice(0, kept))
    blocks.push(table.toString().replaceAll(/ +$/gm, ''))
  }
  return `${blocks.join('\n')}\n`
}

function leastOf(natural: number, isFirst: boolean, width = Infinity): number {
  return Math.min(natural, isFirst ? Math.max(NARROWEST, Math.floor(width / 2)) : NARROWEST)
}

/** How many columns have room at their narrowest. What stands further right is left out: it is the least. */
function columnsIn(least: readonly number[], width = Infinity): number {
  let used = -GAP
  const over = least.findIndex(one => (used += one + GAP) > width)
  return over === -1 ? least.length : Math.max(1, over)
}

function fit(natural: readonly number[], least: readonly number[], width: number | undefined): number[] {
  const widths = [...natural]
  if (width === undefined) return widths
  let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width
  while (excess > 0) {
    // How much each could still give; the first gives when the others have.
    const yields = widths.map((one, i) => (one > (least[i] ?? 0) ? one : 0))
    const [first = 0, ...others] = yields
    const widest = others.some(one => one > 0) && first <= width / 2 ? Math.max(...others) : Math.max(...yields)
    if (widest === 0) break
    const at = yields.indexOf(widest, widest === first && first > width / 2 ? 0 : Number(others.includes(widest)))
    widths[at] = widest - 1
    excess -= 1
  }
  // A lone column is cut, whatever it holds.
  return widths.length === 1 ? [Math.min(widths[0] ?? 0, Math.max(1, width))] : widths
}
