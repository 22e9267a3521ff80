import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewCalls } from '../../app/new-calls.js'
import { asking, useContextAnswer } from '../../app/queries.js'
import { recentDays } from '../../app/recent-days.js'
import { useTitle } from '../../app/use-title.js'
import { day, fixed, percent, signed } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { type Changes, isShare } from './calls-of-change.js'
import { ChangeCard } from './change-card.js'
import { Forest } from './forest.js'

const LENGTHS = [7, 14, 30, 90] as const
const USUAL = 14

/** Two periods side by side: what is different beyond chance, and what would have been seen. */
export function ChangesScreen() {
  const { t } = useTranslation()
  useTitle(t('changes.title'))
  const context = useContextAnswer()
  const search = useSearch({ from: '/changes' })
  const navigate = useNavigate({ from: '/changes' })
  const length = LENGTHS.find(one => String(one) === search.last) ?? USUAL
  const { from, to } = recentDays(context, length)
  const found = useQuery(
    asking('detect_changes', {
      period: search.period ?? `${from} to ${to}`,
      baseline: search.baseline,
      agent_name: search.agent_name,
      examples: 0,
    }),
  )
  const set = (changed: typeof search) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false })
  const names = [...new Set(context.agents.map(one => one.agent_name))].toSorted((a, b) => a.localeCompare(b))
  return (
    <>
      <div className="page-head">
        <h1>{t('changes.title')}</h1>
        <span className="lead" role="status">
          {found.data !== undefined && <Lead found={found.data} />}
        </span>
        <div className="right">
          {names.length > 1 && (
            <label>
              <span className="visually-hidden">{t('calls.filters.agent_name')}</span>
              <select
                className="select"
                value={search.agent_name ?? ''}
                onChange={event => set({ agent_name: event.target.value })}
              >
                <option value="">{t('changes.everybody')}</option>
                {names.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <label>
            <span className="visually-hidden">{t('changes.period')}</span>
            <select
              className="select"
              value={search.period === undefined ? length : ''}
              onChange={event => set({ last: event.target.value, period: '', baseline: '' })}
            >
              {search.period !== undefined && <option value="">{search.period}</option>}
              {LENGTHS.map(one => (
                <option key={one} value={one}>
                  {t(`dates.last${one}`)}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      {found.isPending && (
        <div className="panel">
          <Bones rows={8} height={56} />
        </div>
      )}
      {found.isError && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined && <Found found={found.data} />}
      <NewCalls
        filters={{
          agent_name: search.agent_name,
          date_from: found.data?.window.from,
          date_to: found.data?.window.to,
        }}
        shown={found.data?.window.calls}
      />
    </>
  )
}

function Lead({ found: { window, baseline } }: { readonly found: Changes }) {
  const { t } = useTranslation()
  const dates = ({ from, to, time_zone: zone }: Changes['window']) =>
    t('changes.dates', { from: day(from, zone), to: day(to, zone) })
  return t('changes.lead', {
    period: dates(window),
    count: window.calls,
    baseline: dates(baseline),
    baselineCount: baseline.calls,
    zone: window.time_zone,
  })
}

function Found({ found }: { readonly found: Changes }) {
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
        <Note title={t('changes.none')} />
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
              show={one => t('changes.pointsBy', { delta: signed(one * 100, 0) })}
              rows={changes.filter(isShare)}
            />
          </section>
        </div>
      )}
      <section className="panel" aria-labelledby="seen-title">
        <h2 id="seen-title">{t('changes.seen')}</h2>
        <p>{t('changes.tested', { count: tested, agents })}</p>
        <ul className="muted detectable">
          {detectable.score !== undefined && (
            <li>{t('changes.detectScore', { change: fixed(detectable.score, 2) })}</li>
          )}
          {detectable.shares.map(one => (
            <li key={one.share}>
              {t('changes.detectShare', { share: percent(one.share), change: fixed(one.change * 100, 0) })}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
