import type { Case } from '../../../../support/pipeline-cases.js'
import { comparisonCases } from '../../../../support/comparison-cases.js'

export const cases: readonly Case[] = comparisonCases('$gte', order => order >= 0)
