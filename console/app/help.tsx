import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

const PLACES = { t: '/', c: '/calls', a: '/agents', v: '/changes' } as const
/** Between `g` and the letter of a place. */
const SEQUENCE_MS = 1_500

/** Keys that work everywhere, and the page that says so. */
export function Help() {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    let wentAt = 0
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === '?') dialog.current?.showModal()
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('#search')
        if (search === null) void navigate({ to: '/calls' })
        else search.focus()
        event.preventDefault()
      } else if (event.key === 'g') wentAt = event.timeStamp
      else if (Object.hasOwn(PLACES, event.key) && event.timeStamp - wentAt < SEQUENCE_MS) {
        wentAt = 0
        void navigate({ to: PLACES[event.key as keyof typeof PLACES] })
      }
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [navigate])
  return (
    <dialog ref={dialog} aria-labelledby="help-title">
      <h2 id="help-title">{t('help.title')}</h2>
      <dl>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>{t('help.search')}</dd>
        <dt>
          <kbd>g</kbd> <kbd>t</kbd> <kbd>c</kbd> <kbd>a</kbd> <kbd>v</kbd>
        </dt>
        <dd>{t('help.go')}</dd>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>{t('help.move')}</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>{t('help.open')}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('help.help')}</dd>
      </dl>
      <button type="button" className="button" onClick={() => dialog.current?.close()}>
        {t('help.close')}
      </button>
    </dialog>
  )
}

/** Whether a key is meant for a field, or for the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    ctrlKey ||
    metaKey ||
    altKey ||
    (target instanceof Element && target.closest('input, select, textarea, dialog, [role=dialog]') !== null)
  )
}
