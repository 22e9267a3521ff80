import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../look/copy-button.js'

interface OnceProps {
  readonly said: string
  readonly secret: string
  readonly hide: () => void
}

/** What is shown once. */
export function Once({ said, secret, hide }: OnceProps) {
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
