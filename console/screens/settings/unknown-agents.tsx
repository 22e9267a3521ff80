import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'

/** Names that are looked up, of those beside the project's busiest agents. */
const MOST_ASKED = 20

/** Which of some names no call has: mostly misspelled, and who is heard by them is nobody. */
export function UnknownAgents({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation()
  const { agents } = useContextAnswer()
  const busy = new Set(agents.map(one => one.agent_name))
  const asked = [...new Set(names)].filter(name => !busy.has(name)).slice(0, MOST_ASKED)
  const answers = useQueries({ queries: asked.map(name => asking('search_calls', { agent_name: name, limit: 1 })) })
  return (
    <div role="status" className="small worse">
      {answers.map(({ data }, i) => {
        const unknown = data?.why_empty?.unknown?.find(one => one.argument === 'agent_name')
        if (unknown === undefined) return null
        return (
          <p key={asked[i]}>
            {t('settings.form.noCallsOf', { name: asked[i] })}{' '}
            {unknown.closest !== undefined && t('calls.didYouMean', { value: unknown.closest })}
          </p>
        )
      })}
    </div>
  )
}
