import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import type { Answer } from '../../client/questions.js'
import { callName } from '../../look/call-name.js'
import { Lift, Score } from '../../look/figure.js'
import { clock, fixed, moment, signed } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { KindTag } from '../call/findings.js'

type Compared = Answer<'compare_calls'>
type Detail = Compared['call_a']

/** Two calls side by side: their scores, and what only one of them has. */
export function CompareScreen() {
  const { t } = useTranslation()
  useTitle(t('compare.title'))
  const { a, b } = useSearch({ from: '/compare' })
  const found = useQuery({
    ...asking('compare_calls', { session_id_a: a, session_id_b: b }),
    enabled: a !== undefined && b !== undefined,
  })
  if (a === undefined || b === undefined) return <Note title={t('compare.choose')} />
  if (found.isPending) return <Bones rows={14} height={40} />
  if (found.isError) return <ErrorNote error={found.error} retry={() => void found.refetch()} />
  const { call_a: one, call_b: other, differences } = found.data
  return (
    <>
      <div className="page-head">
        <h1>{t('compare.title')}</h1>
      </div>
      <div className="columns even">
        <Side call={one} only={differences.signals_only_in_a} guidance={differences.guidance_only_in_a} />
        <Side call={other} only={differences.signals_only_in_b} guidance={differences.guidance_only_in_b} />
      </div>
      <section className="panel compare-scores" aria-labelledby="dimensions-title">
        <h2 id="dimensions-title">{t('compare.dimensions')}</h2>
        <Dimensions one={one} other={other} />
      </section>
    </>
  )
}

interface SideProps {
  readonly call: Detail
  /** Keys of what the other call does not have. */
  readonly only: readonly string[]
  readonly guidance: readonly string[]
}

function Side({ call, only, guidance }: SideProps) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const { metadata, scores_headline: headline, outcome_lift: lift, talk_patterns: talk } = call
  const signals = call.signals.filter(({ key }) => only.includes(key))
  const coaching = call.guidance.filter(({ key }) => guidance.includes(key))
  const found = [
    ...signals.map(one => ({ ...one, tag: <span className="tag">{t('call.legend.signal')}</span> })),
    ...coaching.map(one => ({ ...one, tag: <KindTag kind={one.kind} /> })),
  ]
  const cap = headline.capped_by
  return (
    <section className="panel stack">
      <div>
        <h2>
          <Link to="/calls/$session_id" params={{ session_id: metadata.session_id }}>
            {callName(call) ?? t('calls.untitled')}
          </Link>
        </h2>
        <p className="muted small">
          <bdi>{metadata.agent_name}</bdi> · {moment(metadata.created_dt, project.timezone)} ·{' '}
          {clock(talk?.total_duration_s)}
        </p>
      </div>
      <p>
        <Score value={headline.score} /> <Lift band={lift?.lift_band} />
      </p>
      {cap !== undefined && <p className="worse">{t('call.held', { reason: cap.reason ?? cap.key })}</p>}
      <div>
        <h3>{t('compare.only')}</h3>
        {found.length === 0 && <p className="muted">{t('compare.nothing')}</p>}
        <ul className="evidence">
          {found.map(({ key, display_name: name, tag, evidence: [spot] = [] }) => (
            <li key={key}>
              <span className="card-line">
                <b>{name ?? key}</b>
                {tag}
              </span>
              {spot !== undefined && (
                <Link
                  to="/calls/$session_id"
                  params={{ session_id: metadata.session_id }}
                  hash={`turn-${spot.turn}`}
                  className="small"
                  preload={false}
                >
                  “{spot.quote}”
                </Link>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Dimensions({ one, other }: { readonly one: Detail; readonly other: Detail }) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const names = new Map([...one.scores, ...other.scores].map(({ key, display_name: name }) => [key, name ?? key]))
  const valueOf = (call: Detail, key: string) => call.scores.find(score => score.key === key)?.value
  if (names.size === 0) return <p className="muted">{t('call.noScores')}</p>
  return (
    <table className="compared">
      <thead>
        <tr>
          <th scope="col">{t('compare.dimension')}</th>
          {[one, other].map(({ metadata: about }, i) => (
            // One may be beside itself.
            <th key={i} scope="col" className="number">
              {about.agent_name}
              <br />
              {moment(about.created_dt, project.timezone)}
            </th>
          ))}
          <th scope="col" className="number">
            {t('compare.difference')}
          </th>
        </tr>
      </thead>
      <tbody>
        {[...names].map(([key, name]) => {
          const [first, second] = [valueOf(one, key), valueOf(other, key)]
          const difference = first === undefined || second === undefined ? undefined : second - first
          return (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td className="number">{fixed(first)}</td>
              <td className="number">{fixed(second)}</td>
              <td
                className={`number ${difference === undefined || difference === 0 ? 'muted' : difference > 0 ? 'better' : 'worse'}`}
              >
                {signed(difference, 1)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
