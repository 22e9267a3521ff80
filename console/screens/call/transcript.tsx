import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../look/format.js'
import { Highlight } from '../../look/highlight.js'
import type { Turn } from './detail.js'
import type { Mark } from './marks.js'
import { pausesOf, spansOf } from './spans.js'

interface TranscriptProps {
  readonly turns: readonly Turn[]
  readonly marks: ReadonlyMap<number, readonly Mark[]>
  readonly here: number | undefined
  readonly agent: string
  readonly customer: string | undefined
  readonly search: string | undefined
}

/** What was said, turn by turn, with what each turn shows and the silences between. */
export function Transcript({ turns, marks, here, agent, customer, search }: TranscriptProps) {
  const { t } = useTranslation()
  if (turns.length === 0) return <p className="muted">{t('call.noTranscript')}</p>
  const isTimed = turns.some(one => one.start_s !== undefined)
  const { silences, overlaps } = isTimed ? pausesOf(spansOf(turns)) : { silences: [], overlaps: [] }
  const silentBefore = new Map(silences.map(one => [one.before, one.until - one.from]))
  const cutIn = new Set(overlaps)
  const first = (name: string) => name.split(' ')[0] ?? name
  const speakers: Readonly<Record<string, string>> = {
    agent: first(agent),
    customer: customer === undefined ? t('call.lanes.customer') : first(customer),
    system: t('call.lanes.system'),
  }
  return (
    <ol className="transcript">
      {turns.map(turn => (
        <TurnLine
          key={turn.turn}
          turn={turn}
          speaker={speakers[turn.actor] ?? turn.actor}
          marks={marks.get(turn.turn)}
          isHere={turn.turn === here}
          silence={silentBefore.get(turn.turn)}
          cutsIn={turn.start_s !== undefined && cutIn.has(turn.start_s)}
          search={search}
        />
      ))}
    </ol>
  )
}

interface TurnLineProps {
  readonly turn: Turn
  readonly speaker: string
  readonly marks: readonly Mark[] | undefined
  readonly isHere: boolean
  /** Seconds for which nobody spoke before it. */
  readonly silence: number | undefined
  readonly cutsIn: boolean
  readonly search: string | undefined
}

const TurnLine = memo(function TurnLine({ turn, speaker, marks, isHere, silence, cutsIn, search }: TurnLineProps) {
  const { t } = useTranslation()
  return (
    <li>
      {silence !== undefined && <p className="between">{t('call.silenceFor', { seconds: silence.toFixed(0) })}</p>}
      {cutsIn && <p className="between">{t('call.bothSpeak')}</p>}
      <div id={`turn-${turn.turn}`} tabIndex={-1} className={`turn ${turn.actor}${isHere ? ' here' : ''}`}>
        <a className="at muted" href={`#turn-${turn.turn}`}>
          {turn.start_s === undefined ? `#${turn.turn}` : clock(turn.start_s)}
        </a>
        <span className="speaker">{speaker}</span>
        <div className="said">
          <Highlight text={turn.text} search={search} />
          {marks !== undefined && (
            <div className="tags">
              {marks.map(({ name, tone }) => (
                <span key={name} className={`tag ${tone}`}>
                  {tone === 'better' && <span aria-hidden="true">✓</span>}
                  {tone === 'worse' && <span aria-hidden="true">!</span>}
                  {name}
                </span>
              ))}
            </div>
          )}
        </div>
      </div>
    </li>
  )
})
