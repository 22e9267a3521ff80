import { useTranslation } from 'react-i18next'
import en from '../../texts/en.json'
import { useZonedMoment } from './use-moment.js'

type Texts = (typeof en.settings)['form']

/** The same names in every language. */
const { names, text: texts } = en.settings.form
const isNamed = (name: string): name is keyof Texts['names'] => Object.hasOwn(names, name)
const isText = (value: unknown): value is keyof Texts['text'] =>
  typeof value === 'string' && Object.hasOwn(texts, value)

/** Fields of the service in the words of the forms; one that no form has keeps its name. */
export function useFieldWords() {
  const { t } = useTranslation()
  const at = useZonedMoment()
  return {
    nameOf: (name: string): string => (isNamed(name) ? t(`settings.form.names.${name}`) : name),
    /** The whole of a value; null is what a change takes away. */
    valueOf: (name: string, value: unknown): string => {
      if (value === null) return t('settings.form.takenAway')
      if (typeof value === 'boolean') return t(value ? 'settings.yes' : 'settings.no')
      if (Array.isArray(value)) return value.map(String).join(', ') || t('settings.keys.none')
      if (name === 'text' && isText(value)) return t(`settings.form.text.${value}`)
      if (name === 'expires_at' && typeof value === 'string') return at(value)
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
  }
}
