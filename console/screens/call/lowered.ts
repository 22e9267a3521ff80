import type { Answer } from '../../client/questions.js'
import type { Detail } from './detail.js'

type Scoring = Omit<Answer<'get_scoring'>, 'kinds'>

/** What a dimension weighs among those that this call has, 0–1; undefined where the rubric has none such. */
export function shareOf(key: string, scores: Detail['scores'], { dimensions }: Scoring): number | undefined {
  const weights = new Map(dimensions.map(one => [one.key, one.weight]))
  const all = scores.reduce((sum, one) => sum + (weights.get(one.key) ?? 0), 0)
  const own = weights.get(key)
  return own === undefined || all === 0 ? undefined : own / all
}

/** The mean of the dimensions by their weights: what the score would be if nothing held it down. */
export function uncapped(scores: Detail['scores'], scoring: Scoring): number | undefined {
  const shares = scores.map(one => ({ value: one.value, share: shareOf(one.key, scores, scoring) }))
  if (shares.length === 0 || shares.some(one => one.share === undefined)) return undefined
  return shares.reduce((sum, { value, share = 0 }) => sum + value * share, 0)
}

/** What took from a dimension: signals that were looked for and not heard, or heard and better not; heaviest first. */
export function loweredBy(dimension: string, { signals, signals_absent: absent }: Detail, scoring: Scoring) {
  const states = new Map([
    ...signals.map(({ key, state }) => [key, state] as const),
    ...absent.map(key => [key, 'absent'] as const),
  ])
  return scoring.signals
    .filter(one => one.dimension === dimension)
    .flatMap(({ key, name, weight, counts }) => {
      const state = states.get(key)
      const isLower = state === 'unclear' || state === (counts === 'for' ? 'absent' : 'present')
      return isLower && state !== undefined ? [{ key, name, weight, state }] : []
    })
    .toSorted((a, b) => b.weight - a.weight)
}
