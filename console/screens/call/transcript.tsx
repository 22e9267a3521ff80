import { memo, useEffect, useRef } from 'react'
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
  /** The turn of the recording that is being played. */
  readonly playing: number | undefined
  readonly go: (turn: number) => void
  readonly agent: string
  readonly customer: string | undefined
  readonly search: string | undefined
}

/** What was said, turn by turn, with what each turn shows and the silences between. */
export function Transcript({ turns, marks, here, playing, go, agent, customer, search }: TranscriptProps) {
  const { t } = useTranslation()
  // The same thing at every drawing, so that only those turns are drawn anew that changed.
  const going = useRef(go)
  useEffect(() => {
    going.current = go
  })
  if (turns.length === 0) return <p className="muted">{t('call.noTranscript')}</p>
  const isTimed = turns.some(one => one.start_s !== undefined)
  const { silences, overlaps } = isTimed ? pausesOf(spansOf(turns), marks) : { silences: [], overlaps: [] }
  const silentBefore = new Map(silences.map(one => [one.before, one.until - one.from]))
  const held = new Set(silences.flatMap(one => (one.isHold ? [one.before] : [])))
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
          isPlaying={turn.turn === playing}
          go={going}
          silence={silentBefore.get(turn.turn)}
          isHold={held.has(turn.turn)}
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
  readonly isPlaying: boolean
  readonly go: { readonly current: (turn: number) => void }
  /** Seconds for which nobody spoke before it. */
  readonly silence: number | undefined
  readonly isHold: boolean
  readonly cutsIn: boolean
  readonly search: string | undefined
}

const TurnLine = memo(function TurnLine(props: TurnLineProps) {
  const { turn, speaker, marks, isHere, isPlaying, go, silence, isHold, cutsIn, search } = props
  const { t } = useTranslation()
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isPlaying) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isPlaying])
  return (
    <li>
      {silence !== undefined && (
        <p className="between">
          {t(isHold ? 'call.holdFor' : 'call.silenceFor', {
            seconds: silence.toFixed(0),
          })}
        </p>
      )}
      {cutsIn && <p className="between">{t('call.bothSpeak')}</p>}
      <div
        id={`turn-${turn.turn}`}
        ref={line}
        tabIndex={-1}
        className={`turn ${turn.actor}${isHere ? ' here' : ''}${isPlaying ? ' playing' : ''}`}
      >
        <a
          className="at muted"
          href={`#turn-${turn.turn}`}
          onClick={event => {
            event.preventDefault()
            go.current(turn.turn)
          }}
        >
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
