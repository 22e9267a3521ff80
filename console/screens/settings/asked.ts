import type { Approval } from '../../client/settings.js'

export type Fields = Readonly<Record<string, unknown>>

/** What somebody asked for, as it waits. */
export interface Asked {
  readonly method: string
  /** Where it is asked for: path and query. */
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Fields
  readonly body: Fields | undefined
  /** Of a key: what it may then do. */
  readonly key: Fields | undefined
  /** What other keys of its rotation may then do. */
  readonly others: readonly Fields[]
}

export function askedOf({ action, asked }: Pick<Approval, 'action' | 'asked'>): Asked {
  const { path = {}, query = {}, body, key, others = [] } = JSON.parse(asked) as Partial<Asked>
  const [method = '', template = ''] = action.split(' ')
  const way = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return { method, address: given === '' ? way : `${way}?${given}`, path, query, body, key, others }
}
