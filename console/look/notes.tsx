import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal, Unreachable } from '../client/ask.js'

/** What is shown in place of something: why it is not there, and what to do. */
export function Note({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="note">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A question that was not answered: in the service's own words, with what to do next. */
export function ErrorNote({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="note" role="alert">
      <h2>{t('error.title')}</h2>
      <p>{useErrorText(error)}</p>
      {error instanceof Refusal && error.reference !== undefined && (
        <p className="muted">{t('error.reference', { reference: error.reference })}</p>
      )}
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  )
}

/** A failure as a sentence. */
export function useErrorText(error: unknown): string {
  const { t } = useTranslation()
  if (error instanceof Unreachable) return t('error.unreachable')
  if (error instanceof Refusal) {
    const seconds = error.retryAfterSeconds
    return seconds === undefined ? error.message : `${error.message}. ${t('error.busy', { count: seconds })}`
  }
  return t('error.broken')
}

/** As high as what will stand there, so that nothing jumps when it comes. */
export function Bones({ rows, height = 44 }: { readonly rows: number; readonly height?: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height, display: 'flex', alignItems: 'center', padding: '0 16px' }}>
          <span className="bone" style={{ width: `${40 + ((row * 37) % 50)}%` }} />
        </div>
      ))}
    </div>
  )
}
