import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Detail } from './detail.js'
import { TurnLink } from './turn-link.js'

interface FindingsProps {
  readonly detail: Detail
  readonly go: (turn: number) => void
  /** What signals are called that the call has no name of; where it is not known, what was not heard is only counted. */
  readonly nameOf?: ((key: string) => string) | undefined
  /** What stands beside a signal. */
  readonly beside?: ((key: string, name: string) => ReactNode) | undefined
}

/** Coaching and signals, each with the words that show it. */
export function Findings({ detail, go, nameOf, beside }: FindingsProps) {
  const { t } = useTranslation()
  const { guidance, signals, signals_absent, coaching_summary, left_out } = detail
  return (
    <>
      {guidance.length > 0 && (
        <section className="panel" aria-labelledby="guidance-title">
          <h2 id="guidance-title">{t('call.guidance')}</h2>
          <ul className="evidence">
            {guidance.map(({ key, kind, display_name, text, evidence = [] }) => (
              <li key={key}>
                <span className="card-line">
                  <b>{display_name ?? key}</b>
                  <KindTag kind={kind} />
                </span>
                {text !== undefined && <span>{text}</span>}
                <Quotes evidence={evidence} go={go} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {coaching_summary !== undefined && (
        <section className="panel" aria-labelledby="summary-title">
          <h2 id="summary-title">{t('call.summary')}</h2>
          <p>{coaching_summary}</p>
        </section>
      )}
      <section className="panel" aria-labelledby="signals-title">
        <h2 id="signals-title">{t('call.signals')}</h2>
        <ul className="evidence">
          {signals.map(({ key, state, display_name, strength, confidence, evidence = [] }) => (
            <li key={key}>
              <span className="card-line">
                <b>{display_name ?? key}</b>
                {state === 'unclear' && <span className="tag">{t('call.unclear')}</span>}
                {strength !== undefined && (
                  <span className="small muted" title={t('call.strengthHint')}>
                    {t('call.strength', { value: strength.toFixed(2) })}
                  </span>
                )}
                {confidence !== undefined && (
                  <span className="small muted" title={t('call.confidenceHint')}>
                    {t('call.confidence', { value: confidence.toFixed(2) })}
                  </span>
                )}
                {beside?.(key, display_name ?? key)}
              </span>
              <Quotes evidence={evidence} go={go} />
            </li>
          ))}
        </ul>
        {signals_absent.length > 0 && <Absent keys={signals_absent} nameOf={nameOf} beside={beside} />}
        {left_out !== undefined && left_out.length > 0 && (
          <p className="small muted">{t('call.leftOut', { what: left_out.join(', ') })}</p>
        )}
      </section>
    </>
  )
}

type AbsentProps = Pick<FindingsProps, 'nameOf' | 'beside'> & { readonly keys: readonly string[] }

/** What was looked for and not heard: many, so they are opened to be read. */
function Absent({ keys, nameOf, beside }: AbsentProps) {
  const { t } = useTranslation()
  const count = t('call.signalsAbsent', { count: keys.length })
  if (nameOf === undefined) return <p className="small muted">{count}</p>
  return (
    <details className="absent">
      <summary className="small muted">{count}</summary>
      <ul className="evidence">
        {keys.map(key => (
          <li key={key}>
            <span className="card-line">
              {nameOf(key)}
              {beside?.(key, nameOf(key))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Whether a piece of coaching is of what was done well, or of what is to work on. */
export function KindTag({ kind }: Pick<Detail['guidance'][number], 'kind'>) {
  const { t } = useTranslation()
  const isWell = kind === 'excellence'
  return <span className={`tag ${isWell ? 'better' : 'worse'}`}>{isWell ? t('call.well') : t('call.workOn')}</span>
}

interface QuotesProps {
  readonly evidence: readonly { readonly turn: number; readonly quote: string }[]
  readonly go: (turn: number) => void
}

function Quotes({ evidence, go }: QuotesProps) {
  return evidence.map(({ turn, quote }) => (
    <blockquote key={`${turn} ${quote}`} className="small">
      <bdi>“{quote}”</bdi> <TurnLink turn={turn} go={go} />
    </blockquote>
  ))
}
