import { useTranslation } from 'react-i18next'
import { fixed, UNKNOWN } from './format.js'

/** Calls under which a figure says little. */
export const FEW_CALLS = 30

interface FigureProps {
  readonly name: string
  readonly value: number | undefined
  /** 95 % interval. */
  readonly interval?: readonly number[] | undefined
  /** Calls behind it. */
  readonly n?: number | undefined
  readonly show?: (value: number | undefined) => string
  readonly beside?: string | undefined
}

/** A number with what it may be and what it rests on. */
export function Figure({ name, value, interval, n, show = one => fixed(one, 2), beside }: FigureProps) {
  const { t } = useTranslation()
  const [low, high] = interval ?? []
  return (
    <div>
      <div className="figure-name">{name}</div>
      <div className="figure-value">{value === undefined ? UNKNOWN : show(value)}</div>
      <div className="small muted">
        {low !== undefined && high !== undefined && (
          <>{t('figure.interval', { low: show(low), high: show(high) })} · </>
        )}
        {n !== undefined && t('figure.n', { count: n })}
        {n !== undefined && n > 0 && n < FEW_CALLS && <> · {t('figure.few')}</>}
      </div>
      {beside !== undefined && <div className="small muted">{beside}</div>}
    </div>
  )
}

const LOWEST = 1
const HIGHEST = 5

/** A score from 1 to 5, as a number and as long a bar. */
export function Score({ value }: { readonly value: number | undefined }) {
  const { t } = useTranslation()
  if (value === undefined) return <span className="muted">{t('calls.notScored')}</span>
  return (
    <span className="score">
      <b>{fixed(value)}</b>
      <Meter value={value} />
    </span>
  )
}

/** How far between lowest and highest a value is. */
export function Meter({
  value,
  range = [LOWEST, HIGHEST],
}: {
  readonly value: number
  readonly range?: readonly number[] | undefined
}) {
  const [low = LOWEST, high = HIGHEST] = range
  const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0
  return (
    <span className="meter" aria-hidden="true">
      <i style={{ width: `${Math.max(share * 100, 4)}%` }} />
    </span>
  )
}

const SIGNS = { strong_positive: '▲▲', positive: '▲', neutral: '•', negative: '▼', strong_negative: '▼▼' } as const
type LiftBand = keyof typeof SIGNS

/** How a call went beside such calls, in words. */
export function Lift({ band }: { readonly band: string | undefined }) {
  const { t } = useTranslation()
  if (band === undefined || !isBand(band)) return <span className="muted">{UNKNOWN}</span>
  const tone = band.endsWith('positive') ? 'better' : band.endsWith('negative') ? 'worse' : 'muted'
  return (
    <span className={`${tone} nowrap`} title={t('lift.help')}>
      <span aria-hidden="true">{SIGNS[band]} </span>
      {t(`lift.${band}`)}
    </span>
  )
}

function isBand(band: string): band is LiftBand {
  return Object.hasOwn(SIGNS, band)
}
