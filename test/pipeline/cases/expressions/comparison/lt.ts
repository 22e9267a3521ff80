import type { Case } from '../../../../support/pipeline-cases.js'
import { comparisonCases } from '../../../../support/comparison-cases.js'

export const cases: readonly Case[] = comparisonCases('$lt', order => order < 0)
