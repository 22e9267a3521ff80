interface IntervalBarProps {
  readonly value: number | undefined
  /** 95 % interval. */
  readonly interval: readonly number[] | undefined
  /** Ends of the scale. */
  readonly scale: readonly [number, number]
  /** What it is held against: a line through all bars. */
  readonly reference?: number | undefined
  /** So few calls that it says little: hollow. */
  readonly isFew: boolean
  /** The same in words. */
  readonly label: string
}

/** A mean and where it may be. */
export function IntervalBar({ value, interval, scale: [low, high], reference, isFew, label }: IntervalBarProps) {
  const at = (one: number) => `${Math.min(100, Math.max(0, ((one - low) / (high - low)) * 100))}%`
  const [from, to] = interval ?? []
  return (
    <svg className="interval" role="img" aria-label={label}>
      {reference !== undefined && <line className="reference" x1={at(reference)} x2={at(reference)} y1="0" y2="100%" />}
      {from !== undefined && to !== undefined && <line className="range" x1={at(from)} x2={at(to)} y1="50%" y2="50%" />}
      {value !== undefined && <circle className={isFew ? 'few' : ''} cx={at(value)} cy="50%" r="5" />}
    </svg>
  )
}
