import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.js'
import { change } from '../../client/settings.js'
import { CopyButton } from '../../look/copy-button.js'
import { linesOf } from '../../look/lines-of.js'
import type { Field, Form } from './forms.js'
import { Refused } from './refused.js'
import { UnknownAgents } from './unknown-agents.js'

/** A field of JSON that is none: the field, and the reader's own words. */
class BadJson extends Error {
  readonly field: Field

  constructor(field: Field, why: string) {
    super(why)
    this.field = field
  }
}

/** Makes something new; of a secret in the answer nothing is kept but what stands on the page. */
export function NewForm({ form }: { readonly form: Form }) {
  const { t } = useTranslation()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [made, setMade] = useState<{ readonly secret?: string | undefined }>()
  const why =
    failure instanceof BadJson ? (
      t('settings.form.badJson', { name: t(`settings.form.names.${failure.field.name}`), why: failure.message })
    ) : (
      <Refused error={failure} />
    )
  const make = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const page = event.currentTarget
    setBusy(true)
    setFailure(undefined)
    setMade(undefined)
    try {
      const answer = await change('POST', form.path, readForm(form.fields, new FormData(page)))
      const { [form.secret ?? '']: secret } = (await answer.json()) as Readonly<Record<string, unknown>>
      setMade(typeof secret === 'string' ? { secret } : {})
      page.reset()
      await queries.invalidateQueries({ queryKey: ['settings'] })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {made?.secret !== undefined && form.secret !== undefined && (
        <Once said={t(`settings.form.once.${form.secret}`)} secret={made.secret} hide={() => setMade(undefined)} />
      )}
      <details className="new">
        <summary>{t(`settings.form.${form.title}`)}</summary>
        <form className="settings-form" onSubmit={event => void make(event)}>
          {form.fields.map(field => (
            <Input key={field.name} field={field} />
          ))}
          {failure !== undefined && (
            <p role="alert" className="alert">
              {why}
            </p>
          )}
          <p>
            <button type="submit" className="button primary" disabled={isBusy}>
              {t('settings.form.save')}
            </button>{' '}
            <span role="status">{made === undefined ? '' : t('settings.form.saved')}</span>
          </p>
        </form>
      </details>
    </>
  )
}

/** What is shown once. */
export function Once({
  said,
  secret,
  hide,
}: {
  readonly said: string
  readonly secret: string
  readonly hide: () => void
}) {
  const { t } = useTranslation()
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="new" aria-label={said} ref={box} tabIndex={-1}>
      <p>{said}</p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      <div className="actions">
        <CopyButton name={t('settings.form.copy')} copied={t('settings.form.copied')} text={() => secret} />
        <button type="button" className="button" onClick={hide}>
          {t('settings.form.kept')}
        </button>
      </div>
    </section>
  )
}

function Input({ field }: { readonly field: Field }) {
  const { t } = useTranslation()
  const { name, kind, options = [], initial, required, hint, ofAgents } = field
  const [lines, setLines] = useState<readonly string[]>([])
  const label = t(`settings.form.names.${name}`)
  const choice = (option: string) => (isChoice(option) && kind === 'one' ? t(`settings.form.text.${option}`) : option)
  if (kind === 'flag') {
    return (
      <label className="check">
        <input type="checkbox" name={name} defaultChecked={initial === true} />
        {label}
      </label>
    )
  }
  if (kind === 'many') {
    return (
      <fieldset>
        <legend>{label}</legend>
        {options.map(option => (
          <label key={option} className="check">
            <input type="checkbox" name={name} value={option} />
            {option}
          </label>
        ))}
      </fieldset>
    )
  }
  const shared = { name, required, className: 'input', defaultValue: typeof initial === 'string' ? initial : '' }
  const input = (
    <label className="field">
      <span>
        {label}
        {hint !== undefined && ` · ${t(`settings.form.hints.${hint}`)}`}
      </span>
      {kind === 'one' ? (
        <select name={name} className="select" defaultValue={shared.defaultValue}>
          {options.map(option => (
            <option key={option} value={option}>
              {choice(option)}
            </option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea
          {...shared}
          rows={2}
          spellCheck={false}
          {...(ofAgents && { onBlur: event => setLines(linesOf(event.target.value)) })}
        />
      ) : (
        <input
          {...shared}
          type={kind === 'number' ? 'number' : kind === 'moment' ? 'datetime-local' : 'text'}
          autoComplete="off"
        />
      )}
    </label>
  )
  if (ofAgents === undefined) return input
  return (
    <div>
      {input}
      <UnknownAgents names={lines} />
    </div>
  )
}

const isChoice = (option: string): option is 'full' | 'masked' | 'none' => ['full', 'masked', 'none'].includes(option)

/** The fields as the operation takes them; what is empty has the service's default. @throws BadJson */
function readForm(fields: readonly Field[], data: FormData): object {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = valueOf(field, data)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}

function valueOf(field: Field, data: FormData): unknown {
  const { name, kind } = field
  if (kind === 'flag') return data.has(name)
  if (kind === 'many') return data.getAll(name)
  const given = data.get(name)
  const text = typeof given === 'string' ? given.trim() : ''
  if (text === '') return undefined
  switch (kind) {
    case 'lines':
      return linesOf(text)
    case 'number':
      return Number(text)
    case 'moment':
      return new Date(text).toISOString()
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw new BadJson(field, error instanceof Error ? error.message : '')
      }
    case 'text':
    case 'one':
      return text
  }
}
