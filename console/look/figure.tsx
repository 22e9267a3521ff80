import { useTranslation } from 'react-i18next'
import { fixed, UNKNOWN } from './format.js'

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
