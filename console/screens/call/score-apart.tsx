import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../client/questions.js'
import { Meter } from '../../look/figure.js'
import { fixed, fullMoment, percent } from '../../look/format.js'
import type { Detail } from './detail.js'
import { loweredBy, shareOf, uncapped } from './lowered.js'

interface ScoreApartProps {
  readonly detail: Detail
  readonly zone: string
  /** How calls are scored now; where it is not known there is a score without weights. */
  readonly scoring: Answer<'get_scoring'> | undefined
  readonly children?: ReactNode
}

/** What the score is made of: each dimension with its weight and what took from it, lowest first. */
export function ScoreApart({ detail, zone, scoring: found, children }: ScoreApartProps) {
  const { t } = useTranslation()
  const { scores, evaluation, scores_headline: headline } = detail
  const scoring = found && [found, ...(found.kinds ?? [])].find(one => one.rubric === evaluation?.rubric)
  const free = scoring && headline.capped_by !== undefined ? uncapped(scores, scoring) : undefined
  const sorted = scores.toSorted((a, b) => a.value - b.value)
  return (
    <section className="panel" aria-labelledby="apart-title">
      <h2 id="apart-title">{t('call.apart')}</h2>
      {children}
      {scores.length === 0 && <p className="muted">{t('call.noScores')}</p>}
      <ul>
        {sorted.map(({ key, display_name, value, range }) => (
          <li key={key} className="dimension">
            <span>
              {display_name ?? key}{' '}
              {scoring && <span className="small muted">{percent(shareOf(key, scores, scoring))}</span>}
            </span>
            <Meter value={value} range={range} />
            <b className="number">{fixed(value)}</b>
            {scoring && <Lowered of={loweredBy(key, detail, scoring)} />}
          </li>
        ))}
      </ul>
      {free !== undefined && <p className="small">{t('call.uncapped', { score: fixed(free) })}</p>}
      <Talk talk={detail.talk_patterns} />
      {evaluation !== undefined && (
        <p className="small muted">
          {t('call.evaluatedBy', {
            evaluator: evaluation.evaluator ?? t('unknownWord'),
            rubric: evaluation.rubric ?? t('unknownWord'),
            version: evaluation.rubric_version ?? '',
            at: fullMoment(evaluation.evaluated_at, zone),
          })}
        </p>
      )}
    </section>
  )
}

/** What took from a dimension, and how much each weighs in it. */
function Lowered({ of }: { readonly of: ReturnType<typeof loweredBy> }) {
  const { t } = useTranslation()
  if (of.length === 0) return null
  return (
    <ul className="lowered small muted">
      {of.map(({ key, name, weight, state }) => (
        <li key={key}>{t(`call.lowered.${state}`, { name, weight })}</li>
      ))}
    </ul>
  )
}

function Talk({ talk }: { readonly talk: Detail['talk_patterns'] }) {
  const { t } = useTranslation()
  if (talk === undefined) return null
  const { talk_time_ratio, silence_ratio, hold_count, interruption_count, avg_response_time_ms } = talk
  const facts = [
    talk_time_ratio === undefined ? undefined : t('call.talkTime', { share: percent(talk_time_ratio) }),
    silence_ratio === undefined ? undefined : t('call.silence', { share: percent(silence_ratio) }),
    avg_response_time_ms === undefined
      ? undefined
      : t('call.response', { seconds: (avg_response_time_ms / 1000).toFixed(1) }),
    hold_count === undefined ? undefined : t('call.holds', { count: hold_count }),
    interruption_count === undefined ? undefined : t('call.interruptions', { count: interruption_count }),
  ].filter(fact => fact !== undefined)
  if (facts.length === 0) return null
  return (
    <>
      <h3 className="talk-title">{t('call.talk')}</h3>
      <ul className="small muted talk">
        {facts.map(fact => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </>
  )
}
