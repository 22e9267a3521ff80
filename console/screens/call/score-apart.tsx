import { useTranslation } from 'react-i18next'
import { useContextAnswer } from '../../app/queries.js'
import { Meter } from '../../look/figure.js'
import { fixed, fullMoment, percent } from '../../look/format.js'
import type { Detail } from './detail.js'
import { Verdict } from './said.js'

/** What the score is made of: each dimension, lowest first. */
export function ScoreApart({ detail }: { readonly detail: Detail }) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const { scores, evaluation } = detail
  const sorted = scores.toSorted((a, b) => a.value - b.value)
  return (
    <section className="panel" aria-labelledby="apart-title">
      <h2 id="apart-title">{t('call.apart')}</h2>
      {detail.scores_headline.score !== undefined && (
        <p>
          {t('said.scoreRight')} <Verdict detail={detail} name={t('call.score')} about={{ about: 'score' }} />
        </p>
      )}
      {scores.length === 0 && <p className="muted">{t('call.noScores')}</p>}
      <ul>
        {sorted.map(({ key, display_name, value, range }) => (
          <li key={key} className="dimension">
            <span>{display_name ?? key}</span>
            <Meter value={value} range={range} />
            <b className="number">{fixed(value)}</b>
          </li>
        ))}
      </ul>
      <Talk talk={detail.talk_patterns} />
      {evaluation !== undefined && (
        <p className="small muted">
          {t('call.evaluatedBy', {
            evaluator: evaluation.evaluator ?? t('unknownWord'),
            rubric: evaluation.rubric ?? t('unknownWord'),
            version: evaluation.rubric_version ?? '',
            at: fullMoment(evaluation.evaluated_at, project.timezone),
          })}
        </p>
      )}
    </section>
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
