import { scaleBand, scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import { UNKNOWN } from '../../look/format.js'
import { useNarrow } from '../../look/use-narrow.js'
import type { Cell, Drawing as Kind, Shape } from './shape.js'

interface DrawingProps {
  readonly kind: Kind
  readonly shape: Shape
  /** Which of the numbers is drawn. */
  readonly number: number
}

/** How wide a picture and its names are, in units of a letter's size that stays: on a narrow page less of them stands. */
const SIZES = {
  wide: { width: 720, labels: 200, letters: 30 },
  narrow: { width: 340, labels: 110, letters: 14 },
} as const
type Size = (typeof SIZES)['wide' | 'narrow']
const BAR = 24
const HEIGHT = 260
const FOOT = 24
/** Of names that stand aslant. */
const DEEP_FOOT = 90
/** About how wide a letter is. */
const LETTER = 6.5
const BINS = 20

const shown = (cell: Cell): string => (cell === undefined || cell === null ? UNKNOWN : String(cell))
const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })
const cut = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name)
const numberIn = (row: readonly Cell[], at: number): number => Number(row[at] ?? 0)

/** An answer as a picture. The table with the same figures stands beneath it. */
export function Drawing({ kind, shape, number }: DrawingProps) {
  const { t } = useTranslation()
  const name = t('explore.drawn', { what: shape.columns[number], count: shape.rows.length })
  const Drawn = { bars: Bars, line: Line, heat: Heat, histogram: Histogram }[kind]
  const size = useNarrow() ? SIZES.narrow : SIZES.wide
  const what = shape.columns[number] ?? ''
  const values = shape.rows.map(row => numberIn(row, number))
  return (
    <figure className="drawing">
      <Drawn shape={shape} number={number} label={name} size={size} />
      <figcaption className="small muted">
        {kind === 'heat'
          ? t('explore.shades', { what, low: figure(Math.min(...values)), high: figure(Math.max(...values)) })
          : kind === 'histogram'
            ? t('explore.counted', { what })
            : what}
      </figcaption>
    </figure>
  )
}

interface DrawnProps {
  readonly shape: Shape
  readonly number: number
  readonly label: string
  readonly size: Size
}

function Bars({ shape: { rows, names }, number, label, size: { width, labels, letters } }: DrawnProps) {
  const at = names[0]!
  const values = rows.map(row => numberIn(row, number))
  const x = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [labels, width - 70])
  return (
    <svg viewBox={`0 0 ${width} ${rows.length * BAR}`} role="img" aria-label={label}>
      {rows.map((row, i) => {
        const value = values[i]!
        return (
          <g key={shown(row[at])} transform={`translate(0 ${i * BAR})`}>
            <text className="name" x={labels - 8} y={BAR / 2} textAnchor="end">
              {cut(shown(row[at]), letters)}
            </text>
            <rect className="mark" x={x(Math.min(0, value))} y={4} width={Math.abs(x(value) - x(0))} height={BAR - 8} />
            <text className="value" x={x(Math.max(0, value)) + 6} y={BAR / 2}>
              {figure(value)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function Line({ shape: { rows, dates }, number, label, size: { width } }: DrawnProps) {
  const at = dates[0]!
  const points = rows
    .map(row => [new Date(String(row[at])), numberIn(row, number)] as const)
    .toSorted(([a], [b]) => a.getTime() - b.getTime())
  const values = points.map(([, value]) => value)
  const x = scaleTime([points[0]![0], points.at(-1)![0]], [60, width - 20])
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT - FOOT, 16]).nice()
  const path = line<readonly [Date, number]>(
    ([when]) => x(when),
    ([, value]) => y(value),
  )(points)
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
      {y.ticks(5).map(tick => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line className="grid" x1={60} x2={width - 20} />
          <text className="value" x={52} textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {x.ticks(width / 120).map(tick => (
        <text key={tick.getTime()} className="value" x={x(tick)} y={HEIGHT - 6} textAnchor="middle">
          {tick.toISOString().slice(0, 10)}
        </text>
      ))}
      <path className="mark" d={path ?? ''} />
    </svg>
  )
}

function Heat({ shape: { rows, names, dates }, number, label, size: { width, labels, letters } }: DrawnProps) {
  const [down, across] = [...names, ...dates] as [number, number]
  const kinds = (at: number) =>
    [...new Set(rows.map(row => shown(row[at])))].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const [lines, columns] = [kinds(down), kinds(across)]
  const x = scaleBand(columns, [labels, width])
  const isAslant = Math.max(0, ...columns.map(name => name.length)) * LETTER > x.bandwidth() && columns.some(isName)
  const foot = isAslant ? DEEP_FOOT : FOOT
  const height = lines.length * BAR + foot
  const y = scaleBand(lines, [0, height - foot])
  const every = isAslant ? Math.ceil(14 / x.bandwidth()) : Math.ceil(columns.length / (width / 60))
  const values = rows.map(row => numberIn(row, number))
  const depth = scaleLinear([Math.min(...values), Math.max(...values)], [0.08, 1])
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {lines.map(name => (
        <text key={name} className="name" x={labels - 8} y={y(name)! + y.bandwidth() / 2} textAnchor="end">
          {cut(name, letters)}
        </text>
      ))}
      {rows.map((row, i) => (
        <rect
          key={`${shown(row[down])} ${shown(row[across])}`}
          className="mark"
          x={x(shown(row[across]))}
          y={y(shown(row[down]))}
          width={Math.max(1, x.bandwidth() - 1)}
          height={Math.max(1, y.bandwidth() - 1)}
          opacity={depth(values[i]!)}
        >
          <title>{`${shown(row[down])}, ${shown(row[across])}: ${figure(values[i]!)}`}</title>
        </rect>
      ))}
      {columns.map((name, i) =>
        i % every !== 0 ? null : (
          <text
            key={name}
            className="value"
            transform={`translate(${x(name)! + x.bandwidth() / 2} ${height - foot + 12})${isAslant ? ' rotate(-40)' : ''}`}
            textAnchor={isAslant ? 'end' : 'middle'}
          >
            {cut(name, 16)}
          </text>
        ),
      )}
    </svg>
  )
}

/** No figure, which stays readable upright beside others. */
const isName = (name: string): boolean => !/^[\d.,:-]*$/.test(name)

function Histogram({ shape: { rows }, number, label, size }: DrawnProps) {
  const values = rows.flatMap(row => (typeof row[number] === 'number' ? [row[number]] : []))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const width = (high - low) / BINS || 1
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((value - low) / width))]! += 1
  const x = scaleLinear([low, low + width * BINS], [40, size.width - 10])
  const y = scaleLinear([0, Math.max(...counts)], [HEIGHT - FOOT, 16])
  return (
    <svg viewBox={`0 0 ${size.width} ${HEIGHT}`} role="img" aria-label={label}>
      {y.ticks(5).map(tick => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line className="grid" x1={40} x2={size.width - 10} />
          <text className="value" x={34} textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {counts.map((count, bin) => (
        <rect
          key={bin}
          className="mark"
          x={x(low + bin * width)}
          y={y(count)}
          width={Math.max(1, x(low + width) - x(low) - 1)}
          height={HEIGHT - FOOT - y(count)}
        >
          <title>{`${figure(low + bin * width)}–${figure(low + (bin + 1) * width)}: ${count}`}</title>
        </rect>
      ))}
      {x.ticks(8).map(tick => (
        <text key={tick} className="value" x={x(tick)} y={HEIGHT - 6} textAnchor="middle">
          {figure(tick)}
        </text>
      ))}
    </svg>
  )
}
