import { useTranslation } from 'react-i18next'
import type { Key } from '../../client/settings.js'
import { useFieldWords } from './use-field-words.js'

const BOUNDS = [
  'text',
  'tools',
  'allowed_networks',
  'min_group',
  'requests_per_minute',
  'questions_per_day',
  'bytes_per_day',
  'processor_seconds_per_day',
] as const

type Rights = Partial<Pick<Key, 'allowed_agents' | 'teams' | 'require_mapping' | 'read_only' | (typeof BOUNDS)[number]>>

/** What a key hears, and by what it is narrowed, in words. */
export function useKeyWords() {
  const { t } = useTranslation()
  const { nameOf, valueOf } = useFieldWords()
  return {
    heard: ({ allowed_agents: agents = [], teams = [], require_mapping: isMapped }: Rights): string =>
      [...agents, ...teams].join(', ') || t(isMapped === true ? 'settings.keys.nobody' : 'settings.keys.everybody'),
    bounds: (key: Rights): string =>
      [
        ...(key.read_only === true ? [nameOf('read_only')] : []),
        ...BOUNDS.flatMap(name =>
          key[name] === undefined || key[name] === 'full' ? [] : [`${nameOf(name)}: ${valueOf(name, key[name])}`],
        ),
      ].join('; '),
  }
}
