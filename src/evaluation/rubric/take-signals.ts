import { isObject } from '../../base/is-object.js'
import { listed } from '../../base/issue-sentence.js'
import { echo } from '../../base/text.js'
import type { RubricFault } from './check-rubric.js'
import type { SignalCatalogs } from './signal-catalogs.js'

/**
 * A rubric with the signals it takes from its language's catalog, behind its own; of a key that it has, its own stays.
 * @param value as it would be written; what is wrong with the rest of it is found later
 * @param take groups and keys
 */
export function takeSignals(
  value: unknown,
  take: unknown,
  catalogs: SignalCatalogs,
): { readonly value: unknown; readonly faults: readonly RubricFault[] } {
  const signals: unknown = isObject(value) ? value['signals'] : undefined
  if (!Array.isArray(take) || !isObject(value) || !Array.isArray(signals)) return { value, faults: [] }
  const own: readonly unknown[] = signals
  const language = typeof value['language'] === 'string' ? value['language'] : ''
  const catalog = catalogs.get(language)
  if (catalog === undefined) {
    const languages = listed([...catalogs.keys()])
    const message = `takes signals of a catalog, which there are in the languages ${languages}, not ${echo(language)}`
    return { value, faults: [{ path: ['take'], message }] }
  }
  const groups = new Set(catalog.map(({ category }) => category))
  const keys = new Set(catalog.map(({ key }) => key))
  const wanted = new Set<unknown>(take)
  const faults = take.flatMap((one: unknown, at): RubricFault[] => {
    if (typeof one !== 'string' || groups.has(one) || keys.has(one)) return []
    const message = `must be one of the groups ${listed([...groups])}, or a signal of the catalog, not ${echo(one)}`
    return [{ path: ['take', at], message }]
  })
  const had = new Set(own.map(signal => (isObject(signal) ? signal['key'] : undefined)))
  const taken = catalog.filter(({ key, category }) => !had.has(key) && (wanted.has(key) || wanted.has(category)))
  return { value: { ...value, signals: [...own, ...taken] }, faults }
}
