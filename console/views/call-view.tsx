import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callName } from '../look/call-name.js'
import { clock, fullMoment } from '../look/format.js'
import type { Detail } from '../screens/call/detail.js'
import { Findings } from '../screens/call/findings.js'
import { Headline } from '../screens/call/headline.js'
import { marksOf } from '../screens/call/marks.js'
import { ScoreApart } from '../screens/call/score-apart.js'
import { Timeline } from '../screens/call/timeline.js'
import { Transcript } from '../screens/call/transcript.js'
import type { AskTool } from './answers.js'

interface CallViewProps {
  readonly first: Detail
  /** Absent: the client asks no tools for us, so what a long call has beyond its first answer is not shown. */
  readonly ask: AskTool | undefined
}

/** The zone of whoever looks: an answer about one call names none. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** One call, as the console shows it, without what is said about it. */
export function CallView({ first, ask }: CallViewProps) {
  const { t } = useTranslation()
  const [pages, setPages] = useState<readonly Detail[]>([first])
  const [here, setHere] = useState<number>()
  const turns = useMemo(() => pages.flatMap(page => page.transcript ?? []), [pages])
  const marks = useMemo(() => marksOf(first), [first])
  const { metadata, talk_patterns: talk } = first
  const next = pages.at(-1)?.transcript_next
  const go = (turn: number) => {
    setHere(turn)
    document.querySelector(`#turn-${turn}`)?.scrollIntoView({ block: 'center' })
  }
  const more = async () => {
    const page = await ask?.('get_call_detail', { session_id: metadata.session_id, transcript_from: next })
    if (page?.tool === 'get_call_detail') setPages([...pages, page.answer])
  }
  return (
    <div className="stack">
      <div>
        <div className="page-head">
          <h1>{callName(first) ?? t('calls.untitled')}</h1>
          <span className="lead">
            {fullMoment(metadata.created_dt, ZONE)} {ZONE}
          </span>
        </div>
        <div className="call-facts">
          <span>
            {t('call.facts.agent')} <b>{metadata.agent_name}</b>
          </span>
          {metadata.interaction_driver !== undefined && (
            <span>
              {t('call.facts.reason')} <b>{metadata.interaction_driver}</b>
            </span>
          )}
          {talk?.total_duration_s !== undefined && (
            <span>
              {t('call.facts.length')} <b>{clock(talk.total_duration_s)}</b>
            </span>
          )}
        </div>
      </div>
      <Headline detail={first} go={go} />
      {turns.length > 0 && (
        <>
          <section className="panel" aria-labelledby="timeline-title">
            <h2 id="timeline-title">{t('call.timeline')}</h2>
            <Timeline turns={turns} marks={marks} here={here} go={go} />
          </section>
          <section className="panel" aria-labelledby="transcript-title">
            <h2 id="transcript-title">{t('call.transcript')}</h2>
            <Transcript
              turns={turns}
              marks={marks}
              here={here}
              playing={undefined}
              go={go}
              agent={metadata.agent_name}
              customer={metadata.customer_display_name}
              search={undefined}
            />
            {next !== undefined && ask !== undefined && (
              <button type="button" className="button" onClick={() => void more()}>
                {t('call.moreTurns', { count: (first.transcript_total ?? turns.length) - turns.length })}
              </button>
            )}
          </section>
        </>
      )}
      <ScoreApart detail={first} zone={ZONE} scoring={undefined} />
      <Findings detail={first} go={go} />
    </div>
  )
}
