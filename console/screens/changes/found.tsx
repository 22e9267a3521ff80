import { useTranslation } from 'react-i18next'
import { day, fixed, percent, signed } from '../../look/format.js'
import { Note } from '../../look/notes.js'
import { type Changes, isShare } from './calls-of-change.js'
import { ChangeCard } from './change-card.js'
import { Forest } from './forest.js'

/** Which periods are compared. */
export function FoundLead({ found: { window, baseline } }: { readonly found: Changes }) {
  const { t } = useTranslation()
  const dates = ({ from, to, time_zone: zone }: Changes['window']) =>
    t('changes.dates', { from: day(from, zone), to: day(to, zone) })
  return t('changes.lead', {
    period: dates(window),
    calls: t('calls.found', { count: window.calls }),
    baseline: dates(baseline),
    before: t('calls.found', { count: baseline.calls }),
    zone: window.time_zone,
  })
}

/** What is different beyond chance, and what would have been seen. */
export function Found({ found }: { readonly found: Changes }) {
  const { t } = useTranslation()
  const { changes, warnings = [], tested, detectable, agents_compared: agents } = found
  return (
    <div className="stack">
      {warnings.length > 0 && (
        <ul className="panel warnings">
          {warnings.map(one => (
            <li key={one}>{one}.</li>
          ))}
        </ul>
      )}
      {changes.length === 0 ? (
        <Note title={t(tested === 0 ? 'changes.untested' : 'changes.none')}>
          {tested === 0 && warnings.length === 0 && <p className="muted">{t('changes.tooRare')}</p>}
        </Note>
      ) : (
        <div className="columns">
          <section className="panel" aria-labelledby="found-title">
            <h2 id="found-title">{t('changes.found')}</h2>
            <ul>
              {changes.map(one => (
                <ChangeCard key={`${one.category} ${one.key} ${one.agent_id ?? ''}`} change={one} found={found} />
              ))}
            </ul>
          </section>
          <section className="panel" aria-labelledby="plot-title">
            <h2 id="plot-title">{t('changes.plotTitle')}</h2>
            <p className="small muted">{t('changes.plotHelp')}</p>
            <Forest
              title={t('changes.ofMeans')}
              show={one => signed(one)}
              rows={changes.filter(one => !isShare(one))}
            />
            <Forest
              title={t('changes.ofShares')}
              show={one => t('changes.pointsBy', { delta: signed(one * 100, 1) })}
              rows={changes.filter(isShare)}
            />
          </section>
        </div>
      )}
      <section className="panel" aria-labelledby="seen-title">
        <h2 id="seen-title">{t('changes.seen')}</h2>
        <p>
          {t('changes.tested', { count: tested, agents })}{' '}
          {changes.length === 0 && tested > 0 && t('changes.emptyIsNews')}
        </p>
        <ul className="muted detectable">
          {detectable.score !== undefined && (
            <li>{t('changes.detectScore', { change: fixed(detectable.score, 2) })}</li>
          )}
          {detectable.shares.map(one => (
            <li key={one.share}>
              {t('changes.detectShare', { share: percent(one.share), change: fixed(one.change * 100, 1) })}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
