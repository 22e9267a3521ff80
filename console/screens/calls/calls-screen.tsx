import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewCalls } from '../../app/new-calls.js'
import { NoCalls } from '../../app/no-calls.js'
import { useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { ask, pathOf, send } from '../../client/ask.js'
import type { Answer } from '../../client/questions.js'
import { saveFile } from '../../client/save-file.js'
import { day, whole } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { CallList } from './call-list.js'
import { Columns } from './columns.js'
import { FilterBar } from './filter-bar.js'
import type { CallsSearch, Filters } from './filters.js'
import { Views } from './views.js'

/** The most that search_calls gives at once. */
const PAGE = 50
/** The most calls of a file: a hundred pages, a sixth of what a key may ask in a minute. */
const MOST_ROWS = 5_000

/** All calls that meet the filters of the address. */
export function CallsScreen() {
  const { t } = useTranslation()
  useTitle(t('calls.title'))
  const { columns, ...filters } = useSearch({ from: '/calls' })
  const navigate = useNavigate({ from: '/calls' })
  // A filter is a step that going back takes back; which columns are shown is none.
  const set = (search: Filters) => void navigate({ search: { ...search, columns } })
  const show = (chosen: CallsSearch['columns']) =>
    void navigate({ search: { ...filters, columns: chosen }, replace: true })
  const pages = useInfiniteQuery({
    queryKey: ['search_calls', 'pages', filters],
    queryFn: ({ pageParam, signal }) => ask('search_calls', { ...filters, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Answer<'search_calls'>) => page.next_cursor,
  })
  const found = pages.data?.pages.flatMap(page => page.calls) ?? []
  const [first] = pages.data?.pages ?? []
  return (
    <>
      <div className="page-head">
        <h1>{t('calls.title')}</h1>
        <span className="lead" role="status">
          {first !== undefined && t('calls.found', { count: first.total })}
          {first?.window.from !== undefined && (
            <>
              {' · '}
              {t('calls.period', {
                from: day(first.window.from, first.window.time_zone),
                to: day(first.window.to, first.window.time_zone),
                zone: first.window.time_zone,
              })}
            </>
          )}
        </span>
        <div className="right actions">
          <Views search={{ ...filters, columns }} />
          <Columns chosen={columns} set={show} />
          {first !== undefined && first.total > 0 && (
            <Csv key={JSON.stringify(filters)} filters={filters} total={first.total} />
          )}
        </div>
      </div>
      <FilterBar filters={filters} set={set} />
      {pages.isPending && (
        <div className="calls">
          <Bones rows={14} />
        </div>
      )}
      {pages.isError && <ErrorNote error={pages.error} retry={() => void pages.refetch()} />}
      {first !== undefined && found.length > 0 && (
        <CallList
          calls={found}
          total={first.total}
          zone={first.window.time_zone}
          search={filters.text}
          chosen={columns}
          wantMore={() => {
            // One that is asked for while the list is asked for anew would break that off.
            if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage()
          }}
        />
      )}
      {first?.total === 0 && <Nothing why={first.why_empty} filters={filters} />}
      <NewCalls filters={filters} shown={first?.total} />
    </>
  )
}

/** Why there is no call, as the service tells it: a name that nobody has, dates that hold none. */
function Nothing({ why, filters }: { readonly why: Answer<'search_calls'>['why_empty']; readonly filters: Filters }) {
  const { t } = useTranslation()
  const { volume } = useContextAnswer()
  if (volume.calls === 0) return <NoCalls />
  return (
    <Note title={t('calls.empty')}>
      {why?.unknown !== undefined && (
        <ul>
          {why.unknown.map(one => (
            <li key={`${one.argument} ${one.value ?? ''}`}>
              {t('calls.unknownValue', {
                argument: one.argument.replaceAll('_', ' '),
                value: one.value ?? valueOf(filters, one.argument),
              })}
              {one.closest !== undefined && <> {t('calls.didYouMean', { value: one.closest })}</>}
            </li>
          ))}
        </ul>
      )}
      <p className="muted">{t('calls.emptyLead')}</p>
      <Link to="/calls" className="button">
        {t('error.toCalls')}
      </Link>
    </Note>
  )
}

/** What was asked for: of words the service says which, of names it knows that the asker does. */
function valueOf(filters: Filters, argument: string): string {
  return Object.entries(filters).find(([name]) => name === argument)?.[1] ?? ''
}

interface CsvProps {
  readonly filters: Filters
  /** How many calls meet them. */
  readonly total: number
}

/** What is found, as a file: the same question, asked for as a table, page after page. */
function Csv({ filters, total }: CsvProps) {
  const { t } = useTranslation()
  const [done, setDone] = useState<number>()
  const [error, setError] = useState<unknown>()
  const rows = Math.min(total, MOST_ROWS)
  const download = async () => {
    setDone(0)
    setError(undefined)
    try {
      saveFile(new Blob([await tableOf(filters, setDone)], { type: 'text/csv' }), 'calls.csv')
    } catch (failure) {
      setError(failure)
    }
    setDone(undefined)
  }
  return (
    <>
      <button type="button" className="button" disabled={done !== undefined} onClick={() => void download()}>
        {done === undefined ? t('calls.csv') : t('calls.csvBusy', { done: Math.min(done, rows) })}{' '}
        <span className="muted">{rows < total ? t('calls.csvFirst', { rows, count: total }) : whole(rows)}</span>
      </button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  )
}

/** @param onRows hears how many rows there are by now */
async function tableOf(filters: Filters, onRows: (rows: number) => void): Promise<string> {
  const parts: string[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable no-await-in-loop -- each page says where the next begins
    const response = await send(pathOf('search_calls', { ...filters, limit: PAGE, cursor }), { accept: 'text/csv' })
    const text = await response.text()
    // oxlint-enable no-await-in-loop
    // Only the first page keeps its line of names.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1))
    onRows(parts.length * PAGE)
    cursor = response.headers.get('x-next-cursor') ?? undefined
  } while (cursor !== undefined && parts.length * PAGE < MOST_ROWS)
  return parts.join('')
}
