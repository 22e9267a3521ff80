import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../look/format.js'
import type { Turn } from './detail.js'
import { type Mark, toneOf } from './marks.js'
import { pausesOf, spansOf } from './spans.js'

interface TimelineProps {
  readonly turns: readonly Turn[]
  readonly marks: ReadonlyMap<number, readonly Mark[]>
  readonly here: number | undefined
  readonly go: (turn: number) => void
}

const SPEAKERS = ['agent', 'customer', 'system'] as const
/** Steps between ticks, seconds: the first that gives no more than so many. */
const STEPS_S = [5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600] as const
const MOST_TICKS = 8

/** The call along its time: who spoke, where nobody did, where both did, and what was heard. Arrow keys move by turn. */
export function Timeline({ turns, marks, here, go }: TimelineProps) {
  const { t } = useTranslation()
  const lanes = useRef<HTMLDivElement>(null)
  const spans = spansOf(turns)
  const isTimed = turns.some(one => one.start_s !== undefined)
  const end = Math.max(...spans.map(one => one.until), 1)
  const at = (value: number) => `${(value / end) * 100}%`
  const { silences, overlaps } = isTimed ? pausesOf(spans, marks) : { silences: [], overlaps: [] }
  const current = here !== undefined && turns.some(one => one.turn === here) ? here : turns[0]?.turn
  const moved = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const index = turns.findIndex(one => one.turn === current)
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? turns.length - 1 : index + step
    const next = turns[to]
    if (next === undefined || to === index) return
    event.preventDefault()
    go(next.turn)
    lanes.current?.querySelector<HTMLElement>(`[data-turn="${next.turn}"]`)?.focus()
  }
  return (
    <div className="timeline">
      <div ref={lanes} role="group" aria-label={`${t('call.timeline')}. ${t('call.timelineHelp')}`} onKeyDown={moved}>
        {SPEAKERS.filter(speaker => turns.some(one => one.actor === speaker)).map(speaker => (
          <div className="lane" key={speaker}>
            <span className="lane-name">{t(`call.lanes.${speaker}`)}</span>
            <div className="track">
              {speaker === 'agent' &&
                silences.map(one => (
                  <span
                    key={one.from}
                    className={one.isHold ? 'gap hold' : 'gap'}
                    style={{ left: at(one.from), width: at(one.until - one.from) }}
                  />
                ))}
              {spans
                .filter(one => one.turn.actor === speaker)
                .map(({ turn, from, until }) => (
                  <a
                    key={turn.turn}
                    href={`#turn-${turn.turn}`}
                    data-turn={turn.turn}
                    className={`block ${speaker}${turn.turn === here ? ' here' : ''}`}
                    style={{ left: at(from), width: at(until - from) }}
                    tabIndex={turn.turn === current ? 0 : -1}
                    aria-label={t('call.turnLabel', {
                      at: clock(turn.start_s),
                      speaker: t(`call.lanes.${speaker}`),
                      text: turn.text,
                    })}
                    aria-current={turn.turn === here ? 'true' : undefined}
                    onClick={event => {
                      event.preventDefault()
                      go(turn.turn)
                    }}
                  />
                ))}
              {overlaps.map(from => (
                <span key={from} className="over" style={{ left: at(from) }} />
              ))}
            </div>
          </div>
        ))}
      </div>
      {marks.size > 0 && (
        <div className="lane">
          <span className="lane-name">{t('call.lanes.signals')}</span>
          <div className="track bare" aria-hidden="true">
            {spans
              .filter(one => marks.has(one.turn.turn))
              .map(({ turn, from }) => {
                const own = marks.get(turn.turn) ?? []
                return (
                  <span
                    key={turn.turn}
                    className={`spot ${toneOf(own)}`}
                    style={{ left: at(from) }}
                    title={own.map(({ name }) => name).join(', ')}
                  >
                    <i />
                  </span>
                )
              })}
          </div>
        </div>
      )}
      <div className="lane" aria-hidden="true">
        <span />
        {isTimed ? (
          <div className="track bare ticks">
            {ticksOf(end).map(tick => (
              <span key={tick} style={{ left: at(tick) }}>
                {clock(tick)}
              </span>
            ))}
          </div>
        ) : (
          <span className="small muted">{t('call.noTimes')}</span>
        )}
      </div>
      <Legend
        hasSilence={silences.some(one => !one.isHold)}
        hasHold={silences.some(one => one.isHold)}
        hasOverlap={overlaps.length > 0}
      />
    </div>
  )
}

interface LegendProps {
  readonly hasSilence: boolean
  readonly hasHold: boolean
  readonly hasOverlap: boolean
}

function Legend({ hasSilence, hasHold, hasOverlap }: LegendProps) {
  const { t } = useTranslation()
  return (
    <div className="legend">
      {hasSilence && (
        <span>
          <span className="key gap" /> {t('call.legend.silence')}
        </span>
      )}
      {hasHold && (
        <span>
          <span className="key gap hold" /> {t('call.legend.hold')}
        </span>
      )}
      {hasOverlap && (
        <span>
          <span className="key over" style={{ width: 3 }} /> {t('call.legend.over')}
        </span>
      )}
      {(['plain', 'better', 'worse'] as const).map(tone => (
        <span key={tone}>
          <span className={`spot ${tone}`}>
            <i />
          </span>
          {t(`call.legend.${tone === 'plain' ? 'signal' : tone}`)}
        </span>
      ))}
    </div>
  )
}

function ticksOf(end: number): readonly number[] {
  const step = STEPS_S.find(one => end / one <= MOST_TICKS) ?? end / MOST_TICKS
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
}
