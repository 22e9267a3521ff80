import type { Case } from '../../../../support/pipeline-cases.js'
import { comparisonCases, equalityCases } from '../../../../support/comparison-cases.js'

export const cases: readonly Case[] = [
  ...comparisonCases('$eq', order => order === 0),
  ...equalityCases('$eq', equal => equal),
]
