import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Note } from '../look/notes.js'

/** An address at which the console has nothing. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Note title={t('error.notFound')}>
      <p className="muted">{t('error.notFoundLead')}</p>
      <Link to="/calls" className="button">
        {t('error.toCalls')}
      </Link>
    </Note>
  )
}
