import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.js'
import { Refusal } from '../../client/ask.js'
import { type Faults, faultsOf } from './faults.js'
import type { Field } from './forms.js'
import { Input } from './input.js'
import { BadJson, readForm, type Values } from './read-form.js'
import { Refused } from './refused.js'

interface FieldsFormProps {
  readonly label: string
  readonly fields: readonly Field[]
  /** Saves what the form says; false where there was nothing to. @throws what it was refused with */
  readonly save: (values: Values) => Promise<boolean>
  /** It is empty again once it is saved. */
  readonly empties?: true
}

interface Failure extends Faults {
  readonly error: unknown
}

/** Fields that are saved together; what they are refused with stands beside those that it is about, and all else beside the button. */
export function FieldsForm({ label, fields, save, empties }: FieldsFormProps) {
  const { t } = useTranslation()
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'saved' | 'same'>()
  const faultsIn = (error: unknown, values: Values): Faults => {
    if (error instanceof BadJson) {
      const why = t('settings.form.badJson', { why: error.message })
      return { placed: [{ name: error.field.name, place: undefined, why }], areAll: true }
    }
    return faultsOf(error instanceof Refusal ? error.details : [], fields, values)
  }
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const page = event.currentTarget
    setBusy(true)
    setFailure(undefined)
    setOutcome(undefined)
    let values: Values = {}
    try {
      values = readForm(fields, new FormData(page))
      const isSaved = await save(values)
      setOutcome(isSaved ? 'saved' : 'same')
      if (empties === true) page.reset()
      if (isSaved) await queries.invalidateQueries({ queryKey: ['settings'] })
    } catch (error) {
      setFailure({ error, ...faultsIn(error, values) })
    } finally {
      setBusy(false)
    }
  }
  const form = useFocusOnFault(failure)
  return (
    <form className="settings-form" aria-label={label} ref={form} onSubmit={event => void send(event)}>
      {fields.map(field => (
        <Input
          key={field.name}
          field={field}
          faults={failure?.placed.filter(({ name }) => name === field.name) ?? []}
        />
      ))}
      {failure !== undefined && (
        <p role="alert" className="alert">
          {failure.areAll ? t('settings.form.marked') : <Refused error={failure.error} />}
        </p>
      )}
      <p>
        <button type="submit" className="button primary" disabled={isBusy}>
          {t('settings.form.save')}
        </button>{' '}
        <span role="status">{outcome === undefined ? '' : t(`settings.form.${outcome}`)}</span>
      </p>
    </form>
  )
}

/** Who moves by keys, or listens, goes on at the first field that is to be put right. */
function useFocusOnFault(failure: Failure | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  return form
}
