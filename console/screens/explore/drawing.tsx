import { scaleBand, scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import { UNKNOWN } from '../../look/format.js'
import type { Cell, Drawing as Kind, Shape } from './shape.js'

interface DrawingProps {
  readonly kind: Kind
  readonly shape: Shape
  /** Which of the numbers is drawn. */
  readonly number: number
}

const WIDTH = 720
const BAR = 24
const LABELS = 200
const HEIGHT = 260
const FOOT = 24
const BINS = 20

const shown = (cell: Cell): string => (cell === undefined || cell === null ? UNKNOWN : String(cell))
const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })
const numberIn = (row: readonly Cell[], at: number): number => Number(row[at] ?? 0)

/** An answer as a picture. The table with the same figures stands beneath it. */
export function Drawing({ kind, shape, number }: DrawingProps) {
  const { t } = useTranslation()
  const name = t('explore.drawn', { what: shape.columns[number], count: shape.rows.length })
  const Drawn = { bars: Bars, line: Line, heat: Heat, histogram: Histogram }[kind]
  return (
    <figure className="drawing">
      <Drawn shape={shape} number={number} label={name} />
    </figure>
  )
}

interface DrawnProps {
  readonly shape: Shape
  readonly number: number
  readonly label: string
}

function Bars({ shape: { rows, names }, number, label }: DrawnProps) {
  const at = names[0]!
  const values = rows.map(row => numberIn(row, number))
  const x = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [LABELS, WIDTH - 70])
  return (
    <svg viewBox={`0 0 ${WIDTH} ${rows.length * BAR}`} role="img" aria-label={label}>
      {rows.map((row, i) => {
        const value = values[i]!
        return (
          <g key={shown(row[at])} transform={`translate(0 ${i * BAR})`}>
            <text className="name" x={LABELS - 8} y={BAR / 2} textAnchor="end">
              {shown(row[at]).slice(0, 30)}
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

function Line({ shape: { rows, dates }, number, label }: DrawnProps) {
  const at = dates[0]!
  const points = rows
    .map(row => [new Date(String(row[at])), numberIn(row, number)] as const)
    .toSorted(([a], [b]) => a.getTime() - b.getTime())
  const values = points.map(([, value]) => value)
  const x = scaleTime([points[0]![0], points.at(-1)![0]], [60, WIDTH - 20])
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [HEIGHT - FOOT, 16]).nice()
  const path = line<readonly [Date, number]>(
    ([when]) => x(when),
    ([, value]) => y(value),
  )(points)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {y.ticks(5).map(tick => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line className="grid" x1={60} x2={WIDTH - 20} />
          <text className="value" x={52} textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {x.ticks(6).map(tick => (
        <text key={tick.getTime()} className="value" x={x(tick)} y={HEIGHT - 6} textAnchor="middle">
          {tick.toISOString().slice(0, 10)}
        </text>
      ))}
      <path className="mark" d={path ?? ''} />
    </svg>
  )
}

function Heat({ shape: { rows, names, dates }, number, label }: DrawnProps) {
  const [down, across] = [...names, ...dates] as [number, number]
  const kinds = (at: number) =>
    [...new Set(rows.map(row => shown(row[at])))].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const [lines, columns] = [kinds(down), kinds(across)]
  const height = lines.length * BAR + FOOT
  const x = scaleBand(columns, [LABELS, WIDTH])
  const y = scaleBand(lines, [0, height - FOOT])
  const values = rows.map(row => numberIn(row, number))
  const depth = scaleLinear([Math.min(...values), Math.max(...values)], [0.08, 1])
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      {lines.map(name => (
        <text key={name} className="name" x={LABELS - 8} y={y(name)! + y.bandwidth() / 2} textAnchor="end">
          {name.slice(0, 30)}
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
        columns.length > 12 && i % Math.ceil(columns.length / 12) !== 0 ? null : (
          <text key={name} className="value" x={x(name)! + x.bandwidth() / 2} y={height - 6} textAnchor="middle">
            {name.slice(0, 10)}
          </text>
        ),
      )}
    </svg>
  )
}

function Histogram({ shape: { rows }, number, label }: DrawnProps) {
  const values = rows.flatMap(row => (typeof row[number] === 'number' ? [row[number]] : []))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const width = (high - low) / BINS || 1
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((value - low) / width))]! += 1
  const x = scaleLinear([low, low + width * BINS], [40, WIDTH - 10])
  const y = scaleLinear([0, Math.max(...counts)], [HEIGHT - FOOT, 16])
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
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
