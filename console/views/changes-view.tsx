import { useTranslation } from 'react-i18next'
import type { Changes } from '../screens/changes/calls-of-change.js'
import { Found, FoundLead } from '../screens/changes/found.js'

/** What is different between two periods. */
export function ChangesView({ found }: { readonly found: Changes }) {
  const { t } = useTranslation()
  return (
    <div className="stack">
      <div className="page-head">
        <h1>{t('changes.title')}</h1>
        <span className="lead">
          <FoundLead found={found} />
        </span>
      </div>
      <Found found={found} />
    </div>
  )
}
