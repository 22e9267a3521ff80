import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { ask, Refusal } from '../../client/ask.js'
import type { Answer } from '../../client/questions.js'
import { CopyButton } from '../../look/copy-button.js'
import { callName } from '../../look/call-name.js'
import { clock, fullMoment } from '../../look/format.js'
import { Bones, ErrorNote, Note, useErrorText } from '../../look/notes.js'
import type { Detail, Turn } from './detail.js'
import { Findings } from './findings.js'
import { Headline } from './headline.js'
import { Player, type PlayerHandle } from './player.js'
import { Said, Verdict } from './said.js'
import { ScoreApart } from './score-apart.js'
import { Timeline } from './timeline.js'
import { Transcript } from './transcript.js'
import { marksOf } from './marks.js'

/** A rubric is seldom set: what is said of it is not asked for again while it is no older than this. */
const RUBRIC_FRESH_MS = 10 * 60_000
/** The most that get_signals gives at once. */
const CATALOG = 200

/** One call: what was said, what was heard in it, and what its score is made of. */
export function CallScreen() {
  const { t } = useTranslation()
  const { session_id } = useParams({ from: '/calls/$session_id' })
  const { text } = useSearch({ from: '/calls/$session_id' })
  const { project } = useContextAnswer()
  // Refused to a key that names its tools.
  const { data: scoring } = useQuery({ ...asking('get_scoring', {}), staleTime: RUBRIC_FRESH_MS })
  const { data: known } = useQuery({
    ...asking('get_signals', { limit: CATALOG }),
    staleTime: RUBRIC_FRESH_MS,
  })
  const pages = useInfiniteQuery({
    queryKey: ['get_call_detail', session_id],
    queryFn: ({ pageParam, signal }) => ask('get_call_detail', { session_id, transcript_from: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (page: Detail) => page.transcript_next,
  })
  const detail = pages.data?.pages[0]
  const turns = useMemo(() => pages.data?.pages.flatMap(page => page.transcript ?? []) ?? [], [pages.data])
  const nameOf = useMemo(() => namesOf(detail?.signals ?? [], known?.signals ?? []), [detail, known])
  const marks = useMemo(() => (detail === undefined ? new Map() : marksOf(detail)), [detail])
  const [here, show] = useTurn(turns)
  const player = useRef<PlayerHandle>(null)
  const [playing, setPlaying] = useState<number>()
  const go = (turn: number) => {
    show(turn)
    player.current?.seek(turn)
  }
  useTitle((detail && callName(detail)) ?? t('calls.untitled'))
  // A link may lead beyond the pages that are there.
  const isBeyond = here !== undefined && turns.every(one => one.turn !== here)
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  useEffect(() => {
    if (isBeyond && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isBeyond, hasNextPage, isFetching, isError, fetchNextPage])
  if (pages.isPending) return <Bones rows={12} />
  if (pages.error instanceof Refusal && pages.error.code === 'not_found') {
    return (
      <Note title={t('call.missing')}>
        <Link to="/calls" className="button">
          {t('error.toCalls')}
        </Link>
      </Note>
    )
  }
  if (detail === undefined) return <ErrorNote error={pages.error} retry={() => void pages.refetch()} />
  const left = (detail.transcript_total ?? turns.length) - turns.length
  return (
    <div className="stack">
      <Head detail={detail} here={here} />
      <Headline detail={detail} go={go} />
      {detail.metadata.recording_url !== undefined && (
        <Player detail={detail} turns={turns} here={here} handle={player} onTurn={setPlaying} />
      )}
      {turns.length > 0 && (
        <section className="panel" aria-labelledby="timeline-title">
          <h2 id="timeline-title">{t('call.timeline')}</h2>
          <Timeline turns={turns} marks={marks} here={here} go={go} />
          {hasNextPage && <p className="small muted">{t('call.timelineLeft', { count: left })}</p>}
        </section>
      )}
      <div className="call-layout">
        <section className="panel" aria-labelledby="transcript-title">
          <h2 id="transcript-title">{t('call.transcript')}</h2>
          <Transcript
            turns={turns}
            marks={marks}
            here={here}
            playing={playing}
            go={go}
            agent={detail.metadata.agent_name}
            customer={detail.metadata.customer_display_name}
            search={text}
          />
          {pages.isError && (
            <ErrorNote
              error={pages.error}
              retry={() => void (pages.isFetchNextPageError ? fetchNextPage() : pages.refetch())}
            />
          )}
          {hasNextPage && (
            <button
              type="button"
              className="button"
              disabled={pages.isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {t('call.moreTurns', { count: left })}
            </button>
          )}
        </section>
        <div className="stack">
          <ScoreApart detail={detail} zone={project.timezone} scoring={scoring}>
            {detail.scores_headline.score !== undefined && (
              <p>
                {t('said.scoreRight')} <Verdict detail={detail} name={t('call.score')} about={{ about: 'score' }} />
              </p>
            )}
          </ScoreApart>
          <Findings
            detail={detail}
            go={go}
            nameOf={nameOf}
            beside={(key, name) => <Verdict detail={detail} name={name} about={{ about: 'signal', signal_key: key }} />}
          />
          <Said detail={detail} here={here} go={go} nameOf={nameOf} />
        </div>
      </div>
    </div>
  )
}

/** Says what a signal is called: by the call, else by the catalog, else by its key. */
function namesOf(heard: Detail['signals'], known: Answer<'get_signals'>['signals']): (key: string) => string {
  const names = new Map([
    ...known.map(one => [one.signal_key, one.display_name] as const),
    ...heard.flatMap(one => (one.display_name === undefined ? [] : [[one.key, one.display_name] as const])),
  ])
  return key => names.get(key) ?? key
}

function Head({
  detail: { metadata, signals, talk_patterns },
  here,
}: {
  readonly detail: Detail
  readonly here: number | undefined
}) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const facts = [
    ['agent', metadata.agent_name],
    ['customer', metadata.customer_display_name],
    ['reason', metadata.interaction_driver],
    ['length', talk_patterns?.total_duration_s === undefined ? undefined : clock(talk_patterns.total_duration_s)],
    ['direction', metadata.interaction_direction],
  ] as const
  return (
    <div>
      <Link to="/calls" className="small">
        ← {t('call.back')}
      </Link>
      <div className="page-head">
        <h1>{callName({ metadata, signals }) ?? t('calls.untitled')}</h1>
        <span className="lead">{fullMoment(metadata.created_dt, project.timezone)}</span>
        <div className="right">
          <CompareButton metadata={metadata} />
          {/* Of another turn it has another address, and has not copied that. */}
          <CopyButton key={here} name={t('call.copy')} copied={t('call.copied')} text={() => addressOf(here)} />
        </div>
      </div>
      <div className="call-facts">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <span key={name}>
              {t(`call.facts.${name}`)} <b>{value}</b>
            </span>
          ),
        )}
      </div>
    </div>
  )
}

/** Leads to the call of the same reason that scored highest, beside this one. */
function CompareButton({ metadata: { session_id: id, interaction_driver: driver } }: Pick<Detail, 'metadata'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>()
  const [isAlone, setAlone] = useState(false)
  const text = useErrorText(failure)
  if (driver === undefined) return null
  const compare = async () => {
    try {
      const found = await ask('search_calls', { driver, sort: 'score_desc', limit: 2 })
      const other = found.calls.find(one => one.session_id !== id)
      if (other === undefined) setAlone(true)
      else await navigate({ to: '/compare', search: { a: id, b: other.session_id } })
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <button type="button" className="button" disabled={isAlone} onClick={() => void compare()}>
      <span aria-live="polite">{failure === undefined ? t(isAlone ? 'call.noOther' : 'call.compare') : text}</span>
    </button>
  )
}

/** The address of the call, and of the turn that is looked at. */
function addressOf(here: number | undefined): string {
  const { origin, pathname } = location
  return `${origin}${pathname}${here === undefined ? '' : `#turn-${here}`}`
}

/** The turn that the address names: it is shown and focused once it is there, and the address follows who moves on. */
function useTurn(turns: readonly Turn[]): readonly [number | undefined, (turn: number) => void] {
  const router = useRouter()
  const [here, setHere] = useState(turnOf(location.hash))
  const isThere = turns.some(one => one.turn === here)
  useEffect(() => {
    const changed = () => setHere(turnOf(location.hash))
    addEventListener('hashchange', changed)
    addEventListener('popstate', changed)
    return () => {
      removeEventListener('hashchange', changed)
      removeEventListener('popstate', changed)
    }
  }, [])
  useEffect(() => {
    if (here === undefined || !isThere) return
    const turn = document.querySelector<HTMLElement>(`#turn-${here}`)
    turn?.scrollIntoView({ block: 'center' })
    // Keys on the time line stay there: only who came by a link is taken to the turn.
    if ((document.activeElement?.closest('.timeline') ?? undefined) === undefined) turn?.focus({ preventScroll: true })
  }, [here, isThere])
  const go = (turn: number) => {
    history.replaceState(history.state, '', `${router.latestLocation.pathname}${location.search}#turn-${turn}`)
    setHere(turn)
  }
  return [here, go]
}

function turnOf(hash: string): number | undefined {
  const [, digits] = /^#turn-(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? undefined : Number(digits)
}
