import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { send } from '../../client/ask.js'
import { saveAnswer } from '../../client/save-file.js'
import { change, read } from '../../client/settings.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { Refused } from './refused.js'

export interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ReactNode
}

/** Something that can be done with a row. */
export interface Action {
  readonly label: string
  /** What GET answers with is saved as a file. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | undefined
  /** What is asked first, of what can't be taken back. */
  readonly sure?: string
  /** What becomes of the answer; of one that is empty an empty one. */
  readonly done?: (answer: Readonly<Record<string, unknown>>) => void
}

const NO_CONTENT = 204

/** Of what changes by itself while it is looked at: a run that was just begun ends in a moment. */
export const WATCHED_MS = 5_000

interface ListProps<Answer, Row> {
  readonly label: string
  readonly empty: string
  readonly path: string
  /** How often it is asked for again by itself, milliseconds. */
  readonly everyMs?: number
  readonly rows: (answer: Answer) => readonly Row[]
  /** Where the next page is; undefined at the end. */
  readonly next?: (answer: Answer) => string | undefined
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly actions?: ((row: Row) => readonly Action[]) | undefined
  /** What is shown below a row when it is opened. */
  readonly more?: ((row: Row) => ReactNode) | undefined
  /** What opens it. */
  readonly moreLabel?: string
  /** The key of the row that is opened to begin with. */
  readonly opened?: string | undefined
}

/** A list of the service as a table, with what can be done with each row. */
export function List<Answer, Row>({
  label,
  empty,
  path,
  everyMs,
  rows: rowsOf,
  next,
  ...look
}: ListProps<Answer, Row>) {
  const { t } = useTranslation()
  const found = useInfiniteQuery({
    queryKey: ['settings', path],
    queryFn: ({ pageParam, signal }) => read<Answer>(pageParam, signal),
    initialPageParam: path,
    getNextPageParam: answer => next?.(answer),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
  if (found.isPending) return <Bones rows={4} />
  if (found.isError) return <ErrorNote error={found.error} retry={() => void found.refetch()} />
  const rows = found.data.pages.flatMap(rowsOf)
  if (rows.length === 0) return <Note title={empty} />
  return (
    <>
      <Rows label={label} rows={rows} {...look} />
      {found.hasNextPage && (
        <button
          type="button"
          className="button"
          disabled={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('settings.next')}
        </button>
      )}
    </>
  )
}

type RowsProps<Row> = Pick<
  ListProps<unknown, Row>,
  'label' | 'keyOf' | 'columns' | 'actions' | 'more' | 'moreLabel' | 'opened'
> & {
  readonly rows: readonly Row[]
}

/** A table, of which a row can be opened. */
export function Rows<Row>({ label, rows, keyOf, columns, actions, more, moreLabel, opened }: RowsProps<Row>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(opened)
  const hasActions = actions !== undefined || more !== undefined
  return (
    <table className="rows" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, isNumber }) => (
            <th key={name} scope="col" className={isNumber === true ? 'number' : undefined}>
              {name}
            </th>
          ))}
          {hasActions && <th scope="col">{t('settings.do')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.flatMap(row => {
          const key = keyOf(row)
          const isOpen = open === key
          return [
            <tr key={key}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} data-name={name} className={isNumber === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
              {hasActions && (
                <td className="nowrap">
                  {actions?.(row).map(action => (
                    <Do key={`${action.method} ${action.path}`} {...action} />
                  ))}
                  {more !== undefined && (
                    <button
                      type="button"
                      className="link"
                      aria-expanded={isOpen}
                      onClick={() => setOpen(isOpen ? undefined : key)}
                    >
                      {isOpen ? t('settings.less') : (moreLabel ?? t('settings.more'))}
                    </button>
                  )}
                </td>
              )}
            </tr>,
            ...(isOpen && more !== undefined
              ? [
                  <tr key={`${key} more`}>
                    <td colSpan={columns.length + 1}>{more(row)}</td>
                  </tr>,
                ]
              : []),
          ]
        })}
      </tbody>
    </table>
  )
}

/** Does it, and has every list asked for anew. A refusal stands beside it, in the service's own words. */
export function Do({
  label,
  method,
  path,
  body,
  sure,
  done,
  className = 'link',
}: Action & { readonly className?: string }) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const lists = useQueryClient()
  const doing = useMutation({
    mutationFn: async () => {
      if (method === 'GET') {
        await saveAnswer(await send(path, { accept: '*/*' }), 'calls.ndjson')
        done?.({})
        return
      }
      const answer = await change(method, path, body)
      done?.(answer.status === NO_CONTENT ? {} : ((await answer.json()) as Readonly<Record<string, unknown>>))
    },
    onSettled: () => lists.invalidateQueries({ queryKey: ['settings'] }),
  })
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={doing.isPending}
        onClick={() => (sure === undefined ? doing.mutate() : setAsked(true))}
      >
        {label}
      </button>
      {isAsked && sure !== undefined && (
        <Sure
          said={sure}
          label={label}
          keep={t('settings.keep')}
          answer={isSure => {
            setAsked(false)
            if (isSure) doing.mutate()
          }}
        />
      )}
      {doing.isError && (
        <span role="alert">
          <Refused error={doing.error} />
        </span>
      )}{' '}
    </>
  )
}

interface SureProps {
  readonly said: string
  readonly label: string
  /** What leaves it as it is. */
  readonly keep: string
  readonly answer: (isSure: boolean) => void
}

/** Asks once more, before what can't be taken back. */
export function Sure({ said, label, keep, answer }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const leave = (isSure: boolean) => {
    // Closed, it gives the focus back.
    dialog.current?.close()
    answer(isSure)
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sure-title"
      onCancel={event => {
        event.preventDefault()
        leave(false)
      }}
    >
      <p id="sure-title">{said}</p>
      <div className="actions">
        <button type="button" className="button" onClick={() => leave(false)}>
          {keep}
        </button>
        <button type="button" className="button primary" onClick={() => leave(true)}>
          {label}
        </button>
      </div>
    </dialog>
  )
}
