import { stringify } from 'yaml'
import type { RubricInput } from './rubric.js'

/** A rubric as YAML, the way an operator would begin to change it. */
export function rubricText(rubric: RubricInput): string {
  return stringify(rubric, { lineWidth: 110, aliasDuplicateObjects: false, defaultStringType: 'PLAIN' })
}
