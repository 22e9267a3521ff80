import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is below 1', expression: { $lt: [{ $rand: {} }, 1] }, result: true },
  { name: 'takes nothing', expression: { $rand: 5 }, error: '$rand takes an empty object' },
]
