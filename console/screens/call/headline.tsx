import { useTranslation } from 'react-i18next'
import { Lift } from '../../look/figure.js'
import { fixed, percent } from '../../look/format.js'
import type { Detail } from './detail.js'
import { TurnLink } from './turn-link.js'

/** The figures of the call, each in words too. */
export function Headline({ detail, go }: { readonly detail: Detail; readonly go: (turn: number) => void }) {
  const { t } = useTranslation()
  const { score, predicted_csat, capped_by: cap } = detail.scores_headline
  const { trust, outcome_lift: lift, evaluation } = detail
  if (evaluation === undefined && score === undefined) {
    return (
      <section className="panel">
        <p className="muted">{t('call.notEvaluated')}</p>
      </section>
    )
  }
  return (
    <section className="panel stack" aria-label={t('call.score')}>
      <div className="figures">
        <Big name={t('call.score')} value={fixed(score)} small={t('figure.of', { most: 5 })} />
        <Big name={t('call.csat')} value={fixed(predicted_csat)} small={t('figure.of', { most: 5 })} />
        <div>
          <div className="figure-name">{t('call.lift')}</div>
          <div className="figure-value">
            <Lift band={lift?.lift_band} />
          </div>
        </div>
        <Big name={t('call.trust')} value={trust?.level === undefined ? '—' : t(`trust.${trust.level}`)} small="" />
      </div>
      {cap !== undefined && (
        <div className="cap">
          <b className="worse">{t('call.held', { reason: cap.reason ?? cap.key })}</b>
          {cap.quote !== undefined && (
            <div>
              <q>{cap.quote}</q> {cap.turn !== undefined && <TurnLink turn={cap.turn} go={go} />}
            </div>
          )}
        </div>
      )}
      {lift?.p_behavioral !== undefined && lift.p_context !== undefined && (
        <p className="muted">
          {t('lift.sentence', { behavioral: percent(lift.p_behavioral), usual: percent(lift.p_context) })}
        </p>
      )}
      {trust?.reasons !== undefined && trust.reasons.length > 0 && (
        <p className="muted">
          {t('trust.title')}: {trust.reasons.join('; ')}
        </p>
      )}
    </section>
  )
}

function Big({ name, value, small }: { readonly name: string; readonly value: string; readonly small: string }) {
  return (
    <div>
      <div className="figure-name">{name}</div>
      <div className="figure-value">
        {value} <small>{small}</small>
      </div>
    </div>
  )
}
