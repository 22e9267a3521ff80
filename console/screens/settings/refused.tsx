import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../client/ask.js'
import { useErrorText } from '../../look/notes.js'

/** Why something was not done; of what waits for a second administrator with where that is said. */
export function Refused({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const why = useErrorText(error)
  if (!(error instanceof Refusal) || error.approvalId === undefined) return why
  return (
    <>
      {t('settings.approvals.notDone')}{' '}
      <Link to="/settings" search={{ part: 'approvals', approval: error.approvalId }}>
        {t('settings.approvals.see')}
      </Link>
    </>
  )
}
