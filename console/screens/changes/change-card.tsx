import { useTranslation } from 'react-i18next'
import { fixed, percent, signed } from '../../look/format.js'
import { AgentLink, CallsLink } from '../../look/links.js'
import { callsOfChange, type Change, type Changes, isShare } from './calls-of-change.js'

const ARROWS = { up: '▲', down: '▼', new: '●', gone: '○' } as const

interface ChangeCardProps {
  readonly change: Change
  readonly found: Pick<Changes, 'window' | 'baseline'>
}

/** Something that is different from before: how much, over how many calls, who carries it, and the calls that show it. */
export function ChangeCard({ change, found }: ChangeCardProps) {
  const { t } = useTranslation()
  const { category, direction, value, baseline_value: before, occurrences, baseline_occurrences, also = [] } = change
  const share = isShare(change)
  const shown = (one: number) => (share ? percent(one) : fixed(one, 2))
  const tone = share ? '' : direction === 'up' ? 'better' : 'worse'
  return (
    <li className="change">
      <div className="card-line">
        <span className={`${tone} nowrap`}>
          <span aria-hidden="true">{ARROWS[direction]} </span>
          {t(`changes.${direction}`)}
        </span>
        <CallsLink filters={callsOfChange(change, found)} className="change-name">
          {change.display_name}
        </CallsLink>
        <span className="tag">{t(`changes.categories.${category}`)}</span>
        <span className="tag">{t(`changes.sure.${change.significance}`)}</span>
      </div>
      <div>
        {t('changes.fromTo', { before: shown(before), now: shown(value) })}{' '}
        <b className={tone}>
          {share
            ? t('changes.pointsBy', { delta: signed(change.delta * 100, 1) })
            : t('changes.by', { delta: signed(change.delta) })}
        </b>{' '}
        <span className="muted small">{t('changes.over', { now: occurrences, before: baseline_occurrences })}</span>
      </div>
      <div className="small muted">
        {category !== 'agent' &&
          (change.carried_by === undefined ? (
            t('changes.everyone')
          ) : (
            <>
              {t('changes.carriedBy')} <AgentLink name={change.carried_by} />
            </>
          ))}
        {also.length > 0 && (
          <>
            {category !== 'agent' && ' · '}
            {t('changes.also', { what: also.map(one => one.display_name).join(', ') })}
          </>
        )}
      </div>
    </li>
  )
}
