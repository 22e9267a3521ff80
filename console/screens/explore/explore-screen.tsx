import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser'
import { useTitle } from '../../app/use-title.js'
import { ask } from '../../client/ask.js'
import type { Answer } from '../../client/questions.js'
import { CopyButton } from '../../look/copy-button.js'
import { UNKNOWN } from '../../look/format.js'
import { useErrorText } from '../../look/notes.js'
import { Drawing } from './drawing.js'
import { useContextAnswer } from '../../app/queries.js'
import { EXAMPLES, type ExampleName, exampleOf } from './examples.js'
import { PipelineEditor } from './pipeline-editor.js'
import { type Cell, type Drawing as Kind, type Shape, shapeOf } from './shape.js'

type Found = Answer<'query_interactions'>

/** Documents and bytes of an answer that is looked at. */
const MOST_DOCUMENTS = 500
const MOST_BYTES = 500_000
/** Rows that are shown at first. */
const FEW_ROWS = 100

const written = (pipeline: unknown) => JSON.stringify(pipeline, undefined, 2)

/** Any question, as a pipeline: its answer as a table and, where its shape allows, as a picture, at an address to share. */
export function ExploreScreen() {
  const { t } = useTranslation()
  const id = useId()
  useTitle(t('explore.title'))
  const { timezone } = useContextAnswer().project
  const [text, setText] = useState(fromAddress() ?? written(exampleOf('reasons', timezone)))
  const asked = useMutation({
    mutationFn: async ({ source, explain }: { readonly source: string; readonly explain: boolean }) => {
      const pipeline = read(source)
      return await ask('query_interactions', { pipeline, limit: MOST_DOCUMENTS, max_bytes: MOST_BYTES, explain })
    },
  })
  const { mutate } = asked
  const run = (source: string, explain = false) => {
    setText(source)
    // After the #: it is in no log of anybody's.
    history.replaceState(history.state, '', `#${encodeURIComponent(source)}`)
    mutate({ source, explain })
  }
  useEffect(() => {
    const runShared = () => {
      const shared = fromAddress()
      if (shared === undefined) return
      setText(shared)
      mutate({ source: shared, explain: false })
    }
    runShared()
    // A colleague's link, in the tab where this screen is open, changes nothing but what is behind the #.
    addEventListener('hashchange', runShared)
    return () => removeEventListener('hashchange', runShared)
  }, [mutate])
  const failure = useErrorText(asked.error)
  // As it is written: it is for a program.
  const prompt = t('explore.prompt', { pipeline: text, interpolation: { escapeValue: false } })
  return (
    <>
      <div className="page-head">
        <h1>{t('explore.title')}</h1>
        <span className="lead">{t('explore.lead')}</span>
      </div>
      <section className="panel stack">
        <label className="field">
          <span>{t('explore.begin')}</span>
          <select
            className="select"
            value=""
            onChange={event => {
              const name = event.target.value
              if (name !== '') run(written(exampleOf(name as ExampleName, timezone)))
            }}
          >
            <option value="">{t('explore.choose')}</option>
            {EXAMPLES.map(name => (
              <option key={name} value={name}>
                {t(`explore.examples.${name}`)}
              </option>
            ))}
          </select>
        </label>
        <form
          className="say"
          onSubmit={event => {
            event.preventDefault()
            run(text)
          }}
        >
          <label htmlFor={id}>{t('explore.pipeline')}</label>
          <PipelineEditor
            id={id}
            text={text}
            change={setText}
            run={() => run(text)}
            wrong={asked.isError ? `${id}-error` : undefined}
          />
          <div className="actions">
            <button type="submit" className="button primary" disabled={asked.isPending}>
              {asked.isPending ? t('loading') : t('explore.run')}
            </button>
            <button type="button" className="button" disabled={asked.isPending} onClick={() => run(text, true)}>
              {t('explore.explain')}
            </button>
            <CopyButton name={t('explore.share')} copied={t('explore.copied')} text={() => location.href} />
            <CopyButton name={t('explore.askAi')} copied={t('explore.copied')} text={() => prompt} />
            <OpenIn prompt={prompt} />
          </div>
        </form>
        {asked.isError && (
          <p id={`${id}-error`} className="alert" role="alert">
            {asked.error instanceof SyntaxError ? asked.error.message : failure}
          </p>
        )}
      </section>
      {asked.data !== undefined &&
        (asked.data.documents === undefined ? <Plan found={asked.data} /> : <Shown found={asked.data} />)}
    </>
  )
}

/** Where AI clients begin a conversation with a text, which stands behind the address. */
const BEGINS_WITH = {
  Claude: 'https://claude.ai/new?q=',
  ChatGPT: 'https://chatgpt.com/?q=',
  Cursor: 'cursor://anysphere.cursor-deeplink/prompt?text=',
} as const
/** Longest text of an address, UTF-16 units: longer ones are cut or refused on the way. */
const MOST_IN_ADDRESS = 6_000

/** Leads to AI clients with a question in them, which their reader sends or not. */
function OpenIn({ prompt }: { readonly prompt: string }) {
  const { t } = useTranslation()
  const encoded = encodeURIComponent(prompt.toWellFormed())
  if (encoded.length > MOST_IN_ADDRESS) return null
  return (
    <span className="open-in">
      {t('explore.openIn')}{' '}
      {Object.entries(BEGINS_WITH).map(([name, address]) => (
        <a key={name} href={`${address}${encoded}`} target="_blank" rel="noreferrer">
          {name}
        </a>
      ))}
    </span>
  )
}

/** What would run, with the key's restriction in it. */
function Plan({ found: { pipeline, plan, warnings } }: { readonly found: Found }) {
  const { t } = useTranslation()
  return (
    <section className="panel stack answer" aria-labelledby="plan-title">
      <h2 id="plan-title">{t('explore.plan')}</h2>
      <p>{t('explore.stages', { count: plan.engine_stages, evaluated: plan.evaluated_stages })}</p>
      <Warnings warnings={warnings} />
      <pre className="code" tabIndex={0} aria-label={t('explore.plan')}>
        {written(pipeline)}
      </pre>
    </section>
  )
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.length === 0 ? null : (
    <ul className="sentences">
      {warnings.map(one => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}

function Shown({ found }: { readonly found: Found }) {
  const { t } = useTranslation()
  const { documents = [], truncated, warnings, plan, elapsed_ms: ms } = found
  const shape = shapeOf(documents)
  const [first] = shape.drawings
  const [chosen, choose] = useState<Kind | 'table'>()
  const [number, setNumber] = useState<number>()
  const as =
    chosen !== undefined && (chosen === 'table' || shape.drawings.includes(chosen)) ? chosen : (first ?? 'table')
  const drawn = number !== undefined && shape.numbers.includes(number) ? number : shape.numbers[0]
  return (
    <section className="panel stack answer" aria-labelledby="answer-title">
      <h2 id="answer-title">{t('explore.answer', { count: documents.length })}</h2>
      <p className="small muted">
        {t('explore.stages', { count: plan.engine_stages, evaluated: plan.evaluated_stages })} ·{' '}
        {t('explore.took', { ms })}
      </p>
      {truncated === true && <p>{t('explore.cut', { count: documents.length })}</p>}
      <Warnings warnings={warnings} />
      {shape.drawings.length > 0 && (
        <div className="actions">
          <label>
            {t('explore.as')}{' '}
            <select className="select" value={as} onChange={event => choose(event.target.value as Kind)}>
              {(['table', ...shape.drawings] as const).map(one => (
                <option key={one} value={one}>
                  {t(`explore.kind.${one}`)}
                </option>
              ))}
            </select>
          </label>
          {shape.numbers.length > 1 && as !== 'table' && (
            <label>
              {t('explore.of')}{' '}
              <select className="select" value={drawn} onChange={event => setNumber(Number(event.target.value))}>
                {shape.numbers.map(one => (
                  <option key={one} value={one}>
                    {shape.columns[one]}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
      )}
      {as !== 'table' && drawn !== undefined && <Drawing kind={as} shape={shape} number={drawn} />}
      <Table shape={shape} />
    </section>
  )
}

function Table({ shape: { columns, rows, numbers } }: { readonly shape: Shape }) {
  const { t } = useTranslation()
  const [most, setMost] = useState(FEW_ROWS)
  if (rows.length === 0) return <p className="muted">{t('explore.nothing')}</p>
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={t('explore.table')}>
      <table className="rows">
        <thead>
          <tr>
            {columns.map((name, i) => (
              <th key={name} scope="col" className={numbers.includes(i) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, line) => (
            <tr key={line}>
              {row.map((cell, i) => (
                <td key={columns[i]} data-name={columns[i]} className={numbers.includes(i) ? 'number' : undefined}>
                  <Value name={columns[i] ?? ''} cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <button type="button" className="button" onClick={() => setMost(rows.length)}>
          {t('explore.all', { count: rows.length })}
        </button>
      )}
    </div>
  )
}

/** A cell; the id of a call leads to it. */
function Value({ name, cell }: { readonly name: string; readonly cell: Cell }) {
  if (cell === undefined || cell === null) return UNKNOWN
  if (name === 'session_id' && typeof cell === 'string') {
    return (
      <Link to="/calls/$session_id" params={{ session_id: cell }}>
        {cell}
      </Link>
    )
  }
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 4 }) : String(cell)
}

/** A pipeline as it is written, with comments if one likes. @throws SyntaxError that says where it is no JSON */
function read(source: string): unknown {
  const errors: ParseError[] = []
  const pipeline: unknown = parse(source, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return pipeline
  const before = source.slice(0, first.offset).split('\n')
  throw new SyntaxError(
    `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: this is no JSON from here on (${printParseErrorCode(first.error)})`,
  )
}

/** The pipeline that the address names. */
function fromAddress(): string | undefined {
  if (location.hash.length < 2) return undefined
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return undefined
  }
}
