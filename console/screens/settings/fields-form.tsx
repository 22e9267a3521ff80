import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.js'
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

/** Fields that are saved together; what they are refused with stands beside the button. */
export function FieldsForm({ label, fields, save, empties }: FieldsFormProps) {
  const { t } = useTranslation()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'saved' | 'same'>()
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const page = event.currentTarget
    setBusy(true)
    setFailure(undefined)
    setOutcome(undefined)
    try {
      const isSaved = await save(readForm(fields, new FormData(page)))
      setOutcome(isSaved ? 'saved' : 'same')
      if (empties === true) page.reset()
      if (isSaved) await queries.invalidateQueries({ queryKey: ['settings'] })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="settings-form" aria-label={label} onSubmit={event => void send(event)}>
      {fields.map(field => (
        <Input key={field.name} field={field} />
      ))}
      {failure !== undefined && (
        <p role="alert" className="alert">
          {failure instanceof BadJson ? (
            t('settings.form.badJson', { name: t(`settings.form.names.${failure.field.name}`), why: failure.message })
          ) : (
            <Refused error={failure} />
          )}
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
