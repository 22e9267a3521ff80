import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../client/settings.js'
import { FieldsForm } from './fields-form.js'
import type { Form } from './forms.js'
import { Once } from './once.js'

/** Makes something new; of a secret in the answer nothing is kept but what stands on the page. */
export function NewForm({ form }: { readonly form: Form }) {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string>()
  const title = t(`settings.form.${form.title}`)
  return (
    <>
      {secret !== undefined && form.secret !== undefined && (
        <Once said={t(`settings.form.once.${form.secret}`)} secret={secret} hide={() => setSecret(undefined)} />
      )}
      <details className="new">
        <summary>{title}</summary>
        <FieldsForm
          label={title}
          fields={form.fields}
          empties
          save={async values => {
            setSecret(undefined)
            const answer = await change('POST', form.path, values)
            const { [form.secret ?? '']: made } = (await answer.json()) as Readonly<Record<string, unknown>>
            if (typeof made === 'string') setSecret(made)
            return true
          }}
        />
      </details>
    </>
  )
}
