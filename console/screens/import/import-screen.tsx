import { Link } from '@tanstack/react-router'
import { type ChangeEvent, type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries, useContextAnswer, useMay } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { type Explained, explainFile, type Imported, importFile } from '../../client/import-file.js'
import { whole } from '../../look/format.js'
import { linesOf } from '../../look/lines-of.js'
import { Bones, Note, useErrorText } from '../../look/notes.js'
import { chosenFiles, droppedFiles, type Given } from './dropped-files.js'

interface Read {
  readonly given: Given
  readonly answer?: Imported
  readonly error?: unknown
  /** What it is, where not all of it would be taken. */
  readonly explained?: Explained | undefined
}

/** What is being done, or was: first every file is read and nothing written. */
interface Run {
  readonly isDryRun: boolean
  readonly files: readonly Given[]
  readonly read: readonly Read[]
}

/** Adds calls from files: dropped, tried without writing anything, and then imported. */
export function ImportScreen() {
  const { t } = useTranslation()
  const context = useContextAnswer()
  const may = useMay('import_calls')
  useTitle(t('import.title'))
  const [run, setRun] = useState<Run>()
  const [isOver, setOver] = useState(false)
  const [agentName, setAgentName] = useState('')
  const [createdAt, setCreatedAt] = useState('')
  const [maps, setMaps] = useState('')
  const [isAsked, setAsked] = useState(false)
  if (may === undefined) return <Bones rows={4} height={44} />
  if (!may) {
    return (
      <Note title={t('import.mayNot')}>
        <p className="muted">{t('import.mayNotLead')}</p>
      </Note>
    )
  }

  const start = async (files: readonly Given[], isDryRun: boolean) => {
    const options = {
      isDryRun,
      agentName: agentName.trim(),
      createdAt,
      timeZone: context.project.timezone,
      maps: linesOf(maps),
    }
    const read: Read[] = []
    setRun({ isDryRun, files, read: [] })
    for (const given of files) {
      // One after the other: an upload holds one of few places.
      // oxlint-disable-next-line no-await-in-loop
      read.push(await tried(given, options))
      setRun({ isDryRun, files, read: [...read] })
    }
    if (!isDryRun) void queries.invalidateQueries()
  }
  const dropped = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    await start(await droppedFiles(event.dataTransfer.items), true)
  }
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    if (event.target.files !== null) void start(chosenFiles(event.target.files), true)
    // A file that was mended is chosen once more, by the same name.
    event.target.value = ''
  }
  const isBusy = run !== undefined && run.read.length < run.files.length
  const good = run?.read.filter(one => (one.answer?.stored ?? 0) > 0).map(({ given }) => given) ?? []
  return (
    <div className="stack">
      <div className="page-head">
        <h1>{t('import.title')}</h1>
        <span className="lead">{t('import.lead')}</span>
      </div>
      <section
        className={`panel drop${isOver ? ' over' : ''}`}
        aria-label={t('import.drop')}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => void dropped(event)}
      >
        <p>
          <b>{t('import.drop')}</b>
        </p>
        <p className="muted">{t('import.formats')}</p>
        <label className="button">
          {t('import.choose')}
          <input type="file" multiple className="visually-hidden" disabled={isBusy} onChange={chosen} />
        </label>
      </section>
      <details className="panel" open={isAsked} onToggle={event => setAsked(event.currentTarget.open)}>
        <summary>{t('import.missing')}</summary>
        <div className="import-fields">
          <label className="field">
            <span>{t('import.agent')}</span>
            <input className="input" value={agentName} onChange={event => setAgentName(event.target.value)} />
          </label>
          <label className="field">
            <span>{t('import.when', { zone: context.project.timezone })}</span>
            <input
              className="input"
              type="datetime-local"
              value={createdAt}
              onChange={event => setCreatedAt(event.target.value)}
            />
          </label>
          <label className="field">
            <span>{t('import.map')}</span>
            <textarea
              className="input code"
              rows={3}
              spellCheck={false}
              value={maps}
              onChange={event => setMaps(event.target.value)}
            />
          </label>
          {run?.isDryRun === true && !isBusy && (
            <button type="button" className="button" onClick={() => void start(run.files, true)}>
              {t('import.again')}
            </button>
          )}
        </div>
      </details>
      {run !== undefined && (
        <section className="panel" aria-labelledby="import-title">
          <h2 id="import-title">{run.isDryRun ? t('import.tried') : t('import.done')}</h2>
          <p role="status">
            {isBusy
              ? t('import.busy', { done: run.read.length, count: run.files.length })
              : t(run.isDryRun ? 'import.would' : 'import.did', sumOf(run.read))}
          </p>
          {isBusy && <progress max={run.files.length} value={run.read.length} aria-label={t('import.title')} />}
          {run.isDryRun && !isBusy && good.length > 0 && (
            <button type="button" className="button primary" onClick={() => void start(good, false)}>
              {t('import.start', { count: good.length })}
            </button>
          )}
          {!run.isDryRun && !isBusy && (
            <Link to="/calls" className="button">
              {t('error.toCalls')}
            </Link>
          )}
          <ul className="imported">
            {run.read.map(one => (
              <li key={one.given.path}>
                <Outcome
                  read={one}
                  take={more => {
                    setMaps([...new Set([...linesOf(maps), ...more])].join('\n'))
                    setAsked(true)
                  }}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

async function tried(given: Given, options: Parameters<typeof importFile>[2]): Promise<Read> {
  const { file, path } = given
  // What can't be said is no further fault of the file.
  const explain = async () =>
    options.isDryRun ? await explainFile(file, path, options.maps).catch(() => undefined) : undefined
  try {
    const answer = await importFile(file, path, options)
    return { given, answer, explained: answer.rejected > 0 || answer.received === 0 ? await explain() : undefined }
  } catch (error) {
    return { given, error, explained: await explain() }
  }
}

function sumOf(read: readonly Read[]) {
  const stored = read.reduce((sum, one) => sum + (one.answer?.stored ?? 0), 0)
  const rejected = read.reduce((sum, one) => sum + (one.answer?.rejected ?? 0) + (one.error === undefined ? 0 : 1), 0)
  return { count: stored, rejected: whole(rejected) }
}

interface OutcomeProps {
  readonly read: Read
  /** Takes over mappings that would read it. */
  readonly take: (maps: readonly string[]) => void
}

function Outcome({ read: { given, answer, error, explained }, take }: OutcomeProps) {
  const { t } = useTranslation()
  const failure = useErrorText(error)
  const problems = answer?.errors.map(({ path, message }) => `${path} ${message}`.trimStart()) ?? [failure]
  const isBad = answer === undefined || answer.rejected > 0
  return (
    <>
      <span className="import-path">{given.path}</span>
      <span className={isBad ? 'worse' : 'better'}>
        {answer === undefined
          ? t('import.refused')
          : t('import.of', { count: answer.stored, received: answer.received })}
      </span>
      {isBad && <span className="small muted import-why">{[...new Set(problems)].join(' · ')}</span>}
      {explained !== undefined && <Explanation explained={explained} take={take} />}
    </>
  )
}

/** What a file is taken for, and else which mappings would read it. */
function Explanation({
  explained: { formats, unknown },
  take,
}: Pick<OutcomeProps, 'take'> & { readonly explained: Explained }) {
  const { t } = useTranslation()
  return (
    <span className="small import-why">
      {formats.map(({ format, title, agent_by: agent }) => (
        <span key={format}>{t('import.looksLike', { title, agent })} </span>
      ))}
      {unknown.map(({ file, nearest, maps, taken_with_maps: isTaken, still }) => (
        <span key={file}>
          {nearest !== undefined && (
            <>{t('import.nearest', { format: nearest.format, lacks: nearest.lacks.join(', ') })} </>
          )}
          {maps !== undefined && (
            <>
              {isTaken === true ? t('import.maps') : t('import.mapsBegin', { still: still ?? t('import.noCall') })}{' '}
              <code>{maps.join(' ')}</code>{' '}
              <button type="button" className="link" onClick={() => take(maps)}>
                {t('import.take')}
              </button>
            </>
          )}
        </span>
      ))}
    </span>
  )
}
