import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Note } from '../look/notes.js'
import { useContextAnswer, useMay } from './queries.js'

/** Why there is no call at all: the project has none yet, or those it has are not for the key. */
export function NoCalls() {
  const { t } = useTranslation()
  const { scope } = useContextAnswer()
  const mayImport = useMay('import_calls') === true
  if (scope.full_project) {
    return (
      <Note title={t('calls.emptyProject')}>
        <p className="muted">{t(mayImport ? 'calls.emptyProjectImport' : 'calls.emptyProjectLead')}</p>
        {mayImport && (
          <Link to="/import" className="button primary">
            {t('import.title')}
          </Link>
        )}
      </Note>
    )
  }
  return (
    <Note title={t('calls.noneHeard')}>
      <p className="muted">{t('calls.noneHeardLead')}</p>
      <Link to="/key" className="button">
        {t('nav.key')}
      </Link>
    </Note>
  )
}
