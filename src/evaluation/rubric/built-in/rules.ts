import type { Rule, SayRule } from '../rule.js'

type Place = Partial<Pick<SayRule, 'not' | 'first' | 'last' | 'after' | 'at_least'>>

const say = (by: SayRule['by'], any: readonly string[], place: Place): Rule => ({
  say: { by, ...(any.length > 0 && { any: [...any] }), ...place },
})

/** Shorthands in which the built-in rubrics are written. */
export const agentSays = (any: readonly string[], place: Place = {}): Rule => say('agent', any, place)
export const customerSays = (any: readonly string[], place: Place = {}): Rule => say('customer', any, place)
export const anyoneSays = (any: readonly string[], place: Place = {}): Rule => say('anyone', any, place)
export const all = (...rules: Rule[]): Rule => ({ all: rules })
export const any = (...rules: Rule[]): Rule => ({ any: rules })
export const not = (rule: Rule): Rule => ({ not: rule })
export const is = (name: string, state: 'present' | 'absent' | 'unclear' = 'present'): Rule => ({
  signal: { key: `sig.${name}`, is: state },
})
