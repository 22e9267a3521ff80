interface SparkProps {
  /** In their order; undefined where there is none. */
  readonly values: readonly (number | undefined)[]
  readonly label: string
  /** Ends of the scale; those of the values when absent. */
  readonly scale?: readonly [number, number] | undefined
}

const WIDTH = 100
const HEIGHT = 30
/** Room for half of the line's width. */
const PAD = 2

/** How something went on, as a line. */
export function Spark({ values, label, scale }: SparkProps) {
  const known = values.filter(value => value !== undefined)
  if (known.length < 2) return null
  const [low, high] = scale ?? [Math.min(...known), Math.max(...known)]
  const points = values.flatMap((value, i) => {
    if (value === undefined) return []
    const y = high > low ? (value - low) / (high - low) : 0.5
    return [`${(i / (values.length - 1)) * WIDTH},${HEIGHT - PAD - y * (HEIGHT - 2 * PAD)}`]
  })
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
