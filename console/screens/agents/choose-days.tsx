import { useTranslation } from 'react-i18next'
import { useContextAnswer } from '../../app/queries.js'
import { type RecentDays, recentDays } from '../../app/recent-days.js'

const LENGTHS = [7, 30, 90] as const
const USUAL = 30

type ChosenDays = RecentDays & { readonly length: number }

/** The days that the address asks for: so many of the newest. */
export function useDays({ last }: { readonly last?: string | undefined }): ChosenDays {
  const context = useContextAnswer()
  const length = LENGTHS.find(one => String(one) === last) ?? USUAL
  return { ...recentDays(context, length), length }
}

interface ChooseDaysProps {
  readonly days: ChosenDays
  readonly choose: (last: string) => void
}

export function ChooseDays({ days, choose }: ChooseDaysProps) {
  const { t } = useTranslation()
  return (
    <label>
      <span className="visually-hidden">{t('dates.period')}</span>
      <select className="select" value={days.length} onChange={event => choose(event.target.value)}>
        {LENGTHS.map(one => (
          <option key={one} value={one}>
            {t(`dates.last${one}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
