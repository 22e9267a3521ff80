import { defaultRubric } from '../evaluation/rubric/built-in-rubrics.js'

/** A signal's part in the score; of a negative one, absence is good. */
export interface Weight {
  readonly dimension: string
  readonly weight: number
  readonly negative: boolean
}

const { signals, dimensions } = defaultRubric.rubric

/** The default rubric's weights, by signal without `sig.`, in the order in which records list them. */
export const rubricWeights: ReadonlyMap<string, Weight> = new Map(
  signals.map(({ key, category, weight, negative }) => [
    key.slice('sig.'.length),
    { dimension: category, weight, negative },
  ]),
)

/** Weight of each quality dimension in the score. */
export const dimensionWeights: ReadonlyMap<string, number> = new Map(dimensions.map(({ key, weight }) => [key, weight]))
