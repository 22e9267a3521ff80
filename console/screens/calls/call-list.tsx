import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTyping } from '../../app/help.js'
import type { Answer } from '../../client/questions.js'
import { Lift, Score } from '../../look/figure.js'
import { clock, moment } from '../../look/format.js'
import { Highlight } from '../../look/highlight.js'
import { useNarrow } from '../../look/use-narrow.js'
import { type Column, columnsOf, templateOf } from './columns.js'
import { Why } from './why.js'

type Call = Answer<'search_calls'>['calls'][number]

interface CallListProps {
  readonly calls: readonly Call[]
  readonly total: number
  readonly zone: string
  readonly search: string | undefined
  /** The columns that somebody chose, as the address names them. */
  readonly chosen: string | undefined
  readonly wantMore: () => void
}

/** Heights of a row, pixels: fixed, so that the list knows its length without drawing it. */
const ROW = 44
const CARD = 84
/** Rows from the end at which the next page is asked for. */
const AHEAD = 25
/** The call that was opened last: who comes back goes on from it. */
let opened: string | undefined
const NUMBERS: ReadonlySet<Column> = new Set(['signals', 'length'])

/** Calls, one a row, of which only those in sight are drawn. `j` and `k` move. */
export function CallList({ calls, total, zone, search, chosen, wantMore }: CallListProps) {
  const { t } = useTranslation()
  const body = useRef<HTMLDivElement>(null)
  const height = useNarrow() ? CARD : ROW
  const [top, setTop] = useState(0)
  useEffect(() => {
    if (body.current !== null) setTop(body.current.getBoundingClientRect().top + window.scrollY)
  }, [height])
  const rows = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
  })
  useEffect(() => rows.measure(), [height, rows])
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= calls.length - AHEAD) wantMore()
  }, [last, calls.length, wantMore])
  useMovingByKeys(body, row => rows.scrollToIndex(row, { align: 'auto' }), calls)
  return (
    <div
      className={chosen === undefined ? 'calls' : 'calls chosen'}
      role="table"
      aria-label={t('calls.title')}
      aria-rowcount={total + 1}
      style={{ '--columns': templateOf(chosen) } as CSSProperties}
    >
      <div role="rowgroup">
        <div className="calls-head" role="row" aria-rowindex={1}>
          {columnsOf(chosen).map(column => (
            <span key={column} role="columnheader" className={NUMBERS.has(column) ? `number ${column}` : column}>
              {t(`calls.columns.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <div className="calls-body" role="rowgroup" ref={body} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <Row
            key={calls[index]!.session_id}
            call={calls[index]!}
            index={index}
            at={start - top}
            height={height}
            zone={zone}
            search={search}
            chosen={chosen}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly call: Call
  readonly index: number
  readonly at: number
  readonly height: number
  readonly zone: string
  readonly search: string | undefined
  readonly chosen: string | undefined
}

const CELLS: Readonly<Record<Column, string>> = {
  when: 'when muted',
  agent: 'agent',
  title: 'title',
  why: 'why muted',
  score: 'score-cell',
  lift: 'lift',
  signals: 'number muted signals',
  length: 'number muted length',
}

const Row = memo(function Row({ call, index, at, height, zone, search, chosen }: RowProps) {
  const { t } = useTranslation()
  const cells: Readonly<Record<Column, ReactNode>> = {
    when: moment(call.date, zone),
    agent: call.agent_name,
    title: (
      <Link
        to="/calls/$session_id"
        params={{ session_id: call.session_id }}
        search={search === undefined ? {} : { text: search }}
        preload={false}
        onClick={() => {
          opened = call.session_id
        }}
      >
        <Highlight text={call.summary ?? t('calls.untitled')} search={search} />
      </Link>
    ),
    why: <Why why={call.why} />,
    score: <Score value={call.score} />,
    lift: <Lift band={call.lift_band} />,
    signals: call.signal_count,
    length: clock(call.duration_s),
  }
  return (
    <div
      className="call-row"
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ height, transform: `translateY(${at}px)` }}
    >
      {columnsOf(chosen).map(column => (
        <span key={column} role="cell" className={CELLS[column]}>
          {cells[column]}
        </span>
      ))}
    </div>
  )
})

/** Moves by `j` and `k` through the links of the rows; the list is scrolled so that they are drawn. */
function useMovingByKeys(
  body: React.RefObject<HTMLDivElement | null>,
  scrollTo: (row: number) => void,
  calls: readonly Call[],
): void {
  const latest = useRef({ scrollTo, calls })
  latest.current = { scrollTo, calls }
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      if (step === 0 || isTyping(event)) return
      const here = document.activeElement?.closest('[data-row]')?.getAttribute('data-row')
      const before = here ?? rowInSight(body.current, latest.current.calls)
      const next = before === undefined ? firstInSight(body.current) : Number(before) + step
      if (next < 0 || next >= latest.current.calls.length) return
      latest.current.scrollTo(next)
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus())
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [body])
}

/** The row of the call that was opened last, as long as it is in sight. */
function rowInSight(body: HTMLElement | null, calls: readonly Call[]): number | undefined {
  const row = calls.findIndex(call => call.session_id === opened)
  const { top, bottom } = body?.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect() ?? { top: -1, bottom: 0 }
  return top >= 0 && bottom <= innerHeight ? row : undefined
}

function firstInSight(body: HTMLElement | null): number {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const first = rows
    .filter(row => row.getBoundingClientRect().top >= 0)
    .map(row => Number(row.getAttribute('data-row')))
    .sort((a, b) => a - b)[0]
  return first ?? 0
}
