import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rubric } from '../../client/settings.js'
import type { Change } from './draft.js'

interface PhrasesProps {
  readonly name: string
  readonly phrases: readonly string[]
  readonly changes: readonly Change[]
  /** Other signals that listen for the same. */
  readonly others: readonly string[]
  readonly set: (change: Change, isBack: boolean) => void
}

/** The phrases of a list: each can be taken out, and others put in. */
export function Phrases({ name, phrases, changes, others, set }: PhrasesProps) {
  const { t } = useTranslation()
  const [given, setGiven] = useState('')
  const mine = changes.flatMap(one => (one.kind === 'lists' && one.key === name ? [one] : []))
  const added = mine.flatMap(one => (one.isAdded ? [one.phrase] : []))
  const removed = new Set(mine.flatMap(one => (one.isAdded ? [] : [one.phrase])))
  const change = (phrase: string, isAdded: boolean, isBack: boolean) =>
    set({ kind: 'lists', key: name, phrase, isAdded }, isBack)
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const phrase = given.trim()
    setGiven('')
    if (phrase === '' || added.includes(phrase)) return
    if (!phrases.includes(phrase)) change(phrase, true, false)
    else if (removed.has(phrase)) change(phrase, false, true)
  }
  return (
    <section aria-label={t('rubric.list', { name })}>
      <h3>
        ${name} <span className="small muted">{t('rubric.phrases', { count: phrases.length })}</span>
      </h3>
      {others.length > 0 && <p className="small muted">{t('rubric.alsoOf', { names: others.join(', ') })}</p>}
      <ul className="phrases" tabIndex={0} aria-label={t('rubric.list', { name })}>
        {[...added.toReversed(), ...phrases].map((phrase, at) => {
          const isOut = removed.has(phrase)
          return (
            <li key={phrase}>
              {isOut ? <del>{phrase}</del> : at < added.length ? <ins>{phrase}</ins> : phrase}{' '}
              <button
                type="button"
                className="link"
                aria-label={t(isOut ? 'rubric.putBackOf' : 'rubric.takeOutOf', { phrase })}
                onClick={() => change(phrase, at < added.length, isOut || at < added.length)}
              >
                {t(isOut ? 'rubric.putBack' : 'rubric.takeOut')}
              </button>
            </li>
          )
        })}
      </ul>
      <form className="actions" onSubmit={add}>
        <input
          className="input phrase"
          aria-label={t('rubric.newPhrase', { name })}
          maxLength={500}
          value={given}
          onChange={event => setGiven(event.target.value)}
          spellCheck={false}
          autoComplete="off"
        />
        <button type="submit" className="button">
          {t('rubric.putIn')}
        </button>
      </form>
    </section>
  )
}

/** The lists of phrases that a rule names, in its order. */
export function listsIn(rule: unknown, lists: Rubric['lists']): readonly string[] {
  if (typeof rule === 'string')
    return rule.startsWith('$') && Object.hasOwn(lists, rule.slice(1)) ? [rule.slice(1)] : []
  if (typeof rule !== 'object' || rule === null) return []
  return [...new Set(Object.values(rule).flatMap(one => listsIn(one, lists)))]
}
