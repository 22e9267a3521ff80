import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import {
  type AboutRubric,
  change,
  read,
  type Rubric,
  type RubricText,
  type RubricTrial,
} from '../../client/settings.js'
import { fullMoment, moment, UNKNOWN } from '../../look/format.js'
import { Bones, ErrorNote, Note, useErrorText } from '../../look/notes.js'
import { List, Sure } from '../settings/list.js'
import { type Change, textWith, Unfit, withChange } from './draft.js'
import { Signals } from './signals.js'
import { Trial } from './trial.js'

const RUBRIC = '/api/v1/rubric'
/** Calls that a change is tried on. */
const SAMPLE = 50

/** What is kept of the rubric as it is set. */
const RUBRIC_KEY = ['settings', RUBRIC]

/** By what calls are read and scored: for administrators, who see what a change does before it is set. */
export function RubricScreen() {
  const { t } = useTranslation()
  useTitle(t('rubric.title'))
  const { data: session } = useQuery(sessionQuery)
  if (session?.administrator !== true) {
    return (
      <Note title={t('rubric.mayNot')}>
        <p className="muted">{t('rubric.mayNotLead')}</p>
      </Note>
    )
  }
  return <Shown />
}

function Shown() {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const found = useQuery({
    queryKey: RUBRIC_KEY,
    queryFn: async ({ signal }) => {
      const [about, whole] = await Promise.all([
        read<RubricText>(RUBRIC, signal),
        read<RubricText>(`${RUBRIC}?full=true`, signal),
      ])
      return { about, rubric: about.unreadable === undefined ? (JSON.parse(whole.text) as Rubric) : undefined }
    },
  })
  const [saved, setSaved] = useState('')
  return (
    <>
      <div className="page-head">
        <h1>{t('rubric.title')}</h1>
        {found.data !== undefined && (
          <span className="lead">
            {t('rubric.lead', { title: found.data.about.title ?? UNKNOWN, version: found.data.about.version })}
            {found.data.about.set_at !== undefined && (
              <>
                {' '}
                ·{' '}
                {t('rubric.set', {
                  at: fullMoment(found.data.about.set_at, project.timezone),
                  by: found.data.about.set_by,
                })}
              </>
            )}
          </span>
        )}
      </div>
      <p role="status">{saved}</p>
      {found.isPending && <Bones rows={8} />}
      {found.isError && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && <Draft key={found.data.about.version} {...found.data} saved={setSaved} />}
    </>
  )
}

interface DraftProps {
  readonly about: RubricText
  /** Undefined of one that this program can't read any more. */
  readonly rubric: Rubric | undefined
  readonly saved: (said: string) => void
}

/** The rubric as it is set, and what is to be different. */
function Draft({ about, rubric, saved }: DraftProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [round, setRound] = useState(0)
  const [own, setOwn] = useState(rubric === undefined ? about.text : undefined)
  /** The text as it came to be changed. */
  const [opened, setOpened] = useState(own)
  const trying = useMutation({
    mutationFn: async () => {
      const text = own ?? textWith(about.text, changes)
      const answer = await change('POST', `${RUBRIC}/try`, { text, sample: SAMPLE })
      return { text, trial: (await answer.json()) as RubricTrial }
    },
  })
  const saving = useMutation({
    mutationFn: async (text: string) => (await (await change('PUT', RUBRIC, { text })).json()) as AboutRubric,
    onSuccess: async ({ version }) => {
      // The new one is a draft of its own: a version that was opened in the list before it came would be gone with the old draft.
      await queries.invalidateQueries({ queryKey: RUBRIC_KEY, exact: true })
      await queries.invalidateQueries()
      saved(t('rubric.saved', { version }))
    },
  })
  const fault = useErrorText(trying.error ?? saving.error)
  const write = (text: string | undefined) => {
    trying.reset()
    saving.reset()
    setOwn(text)
  }
  const asText = useMutation({
    mutationFn: async (version?: string) =>
      version === undefined
        ? textWith(about.text, changes)
        : (await read<RubricText>(`${RUBRIC}?version=${encodeURIComponent(version)}`)).text,
    onSuccess: text => {
      write(text)
      setOpened(text)
    },
  })
  const isChanged = own === undefined ? changes.length > 0 : own !== about.text
  const isUnsaved = changes.length > 0 || own !== opened
  const leaving = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  const isUnfit = trying.error instanceof Unfit || asText.error instanceof Unfit
  return (
    <div className="stack">
      {leaving.status === 'blocked' && (
        <Sure
          said={t('rubric.unsaved')}
          label={t('rubric.leave')}
          keep={t('rubric.stay')}
          answer={isSure => (isSure ? leaving.proceed() : leaving.reset())}
        />
      )}
      {about.unreadable !== undefined && <p className="alert">{about.unreadable}</p>}
      <section className="panel stack rubric-bar" aria-label={t('rubric.draft')}>
        <div className="actions">
          <span role="status">
            {own === undefined ? t('rubric.changes', { count: changes.length }) : t('rubric.text')}
          </span>
          <button
            type="button"
            className="button primary"
            disabled={!isChanged || trying.isPending}
            onClick={() => trying.mutate()}
          >
            {t(trying.isPending ? 'rubric.trying' : 'rubric.try', { count: SAMPLE })}
          </button>
          {trying.isSuccess && (
            <button
              type="button"
              className="button primary"
              disabled={saving.isPending}
              onClick={() => saving.mutate(trying.data.text)}
            >
              {t('rubric.save')}
            </button>
          )}
          {own === undefined && (
            <button type="button" className="button" onClick={() => asText.mutate(undefined)}>
              {t('rubric.asText')}
            </button>
          )}
          {(isChanged || own !== undefined) && rubric !== undefined && (
            <button
              type="button"
              className="button"
              onClick={() => {
                write(undefined)
                setOpened(undefined)
                setChanges([])
                setRound(round + 1)
              }}
            >
              {t('rubric.undo')}
            </button>
          )}
        </div>
        {(trying.isError || saving.isError) && !isUnfit && (
          <p role="alert" className="alert">
            {fault}
          </p>
        )}
        {isUnfit && (
          <p role="alert" className="alert">
            {t('rubric.unfit')}
          </p>
        )}
        {trying.isSuccess && <Trial trial={trying.data.trial} signals={rubric?.signals ?? []} />}
      </section>
      {own !== undefined && (
        <label className="field">
          <span>{t('rubric.textLabel')}</span>
          <textarea
            className="input code"
            rows={28}
            spellCheck={false}
            value={own}
            onChange={event => write(event.target.value)}
          />
        </label>
      )}
      {own === undefined && rubric !== undefined && (
        <Signals
          key={round}
          rubric={rubric}
          changes={changes}
          set={(one, isBack) => {
            trying.reset()
            saving.reset()
            setChanges(before => withChange(before, one, isBack))
          }}
        />
      )}
      <section className="panel" aria-labelledby="rubric-history">
        <h2 id="rubric-history">{t('rubric.history')}</h2>
        <Versions show={version => asText.mutate(version)} />
      </section>
    </div>
  )
}

/** By what its calls were read before the project set any, as the service names it. */
const BUILT_IN: AboutRubric = { version: 'built-in', source: 'built-in' }

/** What the project had before; each can be looked at, changed, tried and set again. */
function Versions({ show }: { readonly show: (version: string) => void }) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  return (
    <List<{ readonly versions: readonly AboutRubric[] }, AboutRubric>
      label={t('rubric.history')}
      empty={t('rubric.noHistory')}
      path={`${RUBRIC}/versions`}
      rows={({ versions }) => (versions.length === 0 ? [] : [...versions.toReversed(), BUILT_IN])}
      keyOf={one => one.version}
      columns={[
        {
          name: t('rubric.version'),
          cell: one => (
            <button type="button" className="link" onClick={() => show(one.version)}>
              {one.version}
            </button>
          ),
        },
        {
          name: t('settings.name'),
          cell: one => (one === BUILT_IN ? t('rubric.builtIn') : (one.title ?? one.unreadable ?? UNKNOWN)),
        },
        { name: t('settings.since'), cell: one => moment(one.set_at, project.timezone) },
        { name: t('rubric.setBy'), cell: one => one.set_by ?? UNKNOWN },
      ]}
    />
  )
}
