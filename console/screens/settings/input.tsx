import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { linesOf } from '../../look/lines-of.js'
import type { Fault } from './faults.js'
import type { Field } from './forms.js'
import { UnknownAgents } from './unknown-agents.js'

interface InputProps {
  readonly field: Field
  /** What is wrong with it. */
  readonly faults: readonly Fault[]
}

/** A field of a form, with its label, what may be written there, and what was wrong with that. */
export function Input({ field, faults }: InputProps) {
  const { t } = useTranslation()
  const id = useId()
  const { name, kind, options = [], initial, required, hint, empty, ofAgents } = field
  const [lines, setLines] = useState<readonly string[]>([])
  const label = t(`settings.form.names.${name}`)
  const choice = (option: string) => (isChoice(option) && kind === 'one' ? t(`settings.form.text.${option}`) : option)
  const marked = faults.length > 0 ? ({ 'aria-invalid': true, 'aria-describedby': id } as const) : {}
  const why = <Why id={id} faults={faults} />
  if (kind === 'flag') {
    return (
      <div>
        <label className="check">
          <input type="checkbox" name={name} defaultChecked={initial === true} {...marked} />
          {label}
        </label>
        {why}
      </div>
    )
  }
  if (kind === 'many') {
    const chosen: readonly string[] = typeof initial === 'object' ? initial : []
    return (
      <fieldset>
        <legend>{label}</legend>
        {options.map(option => (
          <label key={option} className="check">
            <input type="checkbox" name={name} value={option} defaultChecked={chosen.includes(option)} {...marked} />
            {option}
          </label>
        ))}
        {why}
      </fieldset>
    )
  }
  const said = [
    label,
    ...(hint === undefined ? [] : [t(`settings.form.hints.${hint}`)]),
    ...(empty === undefined ? [] : [t(`settings.form.empty.${empty}`)]),
  ].join(' · ')
  const shared = {
    name,
    required: required === true,
    className: 'input',
    defaultValue: typeof initial === 'string' ? initial : '',
    ...marked,
  }
  const input = (
    <label className="field">
      <span>{said}</span>
      {kind === 'one' ? (
        <select name={name} className="select" defaultValue={shared.defaultValue} {...marked}>
          {options.map(option => (
            <option key={option} value={option}>
              {choice(option)}
            </option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea
          {...shared}
          rows={rowsFor(shared.defaultValue)}
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
  return (
    <div>
      {input}
      {why}
      {ofAgents === true && <UnknownAgents names={lines} />}
    </div>
  )
}

const MOST_ROWS = 12

/** As high as what it holds, within reason. */
const rowsFor = (text: string): number => Math.min(MOST_ROWS, Math.max(2, text.split('\n').length))

/** What is wrong, in the service's words. */
function Why({ id, faults }: { readonly id: string; readonly faults: readonly Fault[] }) {
  const { t } = useTranslation()
  if (faults.length === 0) return null
  return (
    <ul id={id} className="faults small worse">
      {faults.map(({ place, why }) => (
        <li key={`${place} ${why}`}>{place === undefined ? why : t('settings.form.atPlace', { place, why })}</li>
      ))}
    </ul>
  )
}

const isChoice = (option: string): option is 'full' | 'masked' | 'none' => ['full', 'masked', 'none'].includes(option)
