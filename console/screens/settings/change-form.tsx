import { useState } from 'react'
import { change } from '../../client/settings.js'
import { changedFields, filledFields, untouched } from './changed-fields.js'
import { FieldsForm } from './fields-form.js'
import type { Field } from './forms.js'
import { readForm, type Values } from './read-form.js'

interface ChangeFormProps {
  readonly label: string
  readonly path: string
  readonly fields: readonly Field[]
  /** What is there. */
  readonly row: Values
}

/** Changes what is there, as it was when this was opened: only what is different is sent, so that nothing is taken back that others changed. */
export function ChangeForm({ label, path, fields, row }: ChangeFormProps) {
  const [filled] = useState(() => filledFields(fields, row))
  const [before, setBefore] = useState(() => readForm(filled, untouched(filled)))
  return (
    <FieldsForm
      label={label}
      fields={filled}
      save={async values => {
        const changed = changedFields(filled, values, before)
        if (Object.keys(changed).length === 0) return false
        await change('PATCH', path, changed)
        setBefore(values)
        return true
      }}
    />
  )
}
