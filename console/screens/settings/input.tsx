import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { linesOf } from '../../look/lines-of.js'
import type { Field } from './forms.js'
import { UnknownAgents } from './unknown-agents.js'

/** A field of a form, with its label and what may be written there. */
export function Input({ field }: { readonly field: Field }) {
  const { t } = useTranslation()
  const { name, kind, options = [], initial, required, stays, hint, empty, ofAgents } = field
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
    const chosen: readonly string[] = typeof initial === 'object' ? initial : []
    return (
      <fieldset>
        <legend>{label}</legend>
        {options.map(option => (
          <label key={option} className="check">
            <input type="checkbox" name={name} value={option} defaultChecked={chosen.includes(option)} />
            {option}
          </label>
        ))}
      </fieldset>
    )
  }
  const said = [
    label,
    ...(hint === undefined ? [] : [t(`settings.form.hints.${hint}`)]),
    ...(stays === true ? [t('settings.form.stays')] : empty === undefined ? [] : [t(`settings.form.empty.${empty}`)]),
  ].join(' · ')
  const shared = {
    name,
    required: required === true || stays === true,
    className: 'input',
    defaultValue: typeof initial === 'string' ? initial : '',
  }
  const input = (
    <label className="field">
      <span>{said}</span>
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
