import type { Case } from '../../../../support/pipeline-cases.js'
import { comparisonCases, equalityCases } from '../../../../support/comparison-cases.js'

export const cases: readonly Case[] = [
  ...comparisonCases('$ne', order => order !== 0),
  ...equalityCases('$ne', equal => !equal),
]
