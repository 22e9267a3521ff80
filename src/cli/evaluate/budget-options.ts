import { UsageError } from '../usage-error.js'

/** Bounds of a run with a language model. */
export const budgetOptions = {
  'max-calls': { type: 'number', requiresArg: true, description: 'With a model: most requests of this run' },
  'max-tokens': { type: 'number', requiresArg: true, description: 'With a model: most tokens, in and out together' },
  'max-cost': { type: 'number', requiresArg: true, description: 'With a model: most money, by the configured prices' },
} as const

interface Given {
  readonly with?: string | undefined
  readonly maxCalls?: number | undefined
  readonly maxTokens?: number | undefined
  readonly maxCost?: number | undefined
}

/** The bounds as the routes take them. @throws UsageError */
export function budgetQuery({ maxCalls, maxTokens, maxCost, ...args }: Given): Readonly<Record<string, number>> {
  const given = Object.entries({ max_calls: maxCalls, max_tokens: maxTokens, max_cost: maxCost })
  const query: Record<string, number> = {}
  for (const [name, value] of given) {
    if (value === undefined) continue
    const flag = `--${name.replace('_', '-')}`
    if (args.with !== 'model') throw new UsageError(`${flag} needs --with model`)
    if (name === 'max_cost' ? !(value >= 0) : !(Number.isInteger(value) && value > 0)) {
      throw new UsageError(`${flag} must be ${name === 'max_cost' ? 'a number from 0' : 'a whole number from 1'}`)
    }
    query[name] = value
  }
  return query
}
