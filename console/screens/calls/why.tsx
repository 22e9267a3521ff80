import { useTranslation } from 'react-i18next'
import type { Answer } from '../../client/questions.js'
import { fixed } from '../../look/format.js'

/** What cost a call most of its score. */
export function Why({ why }: { readonly why: Answer<'search_calls'>['calls'][number]['why'] }) {
  const { t } = useTranslation()
  if (why?.cap !== undefined) {
    return <span className="worse">{t('calls.whyCap', { reason: why.reason ?? why.cap })}</span>
  }
  if (why?.dimension === undefined) return null
  return t('calls.whyDimension', { dimension: why.dimension.replaceAll('_', ' '), value: fixed(why.value) })
}
