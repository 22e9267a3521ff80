import type { Rule } from '../rubric/rule.js'
import { type CompiledRule, compiled } from './compiled-rule.js'
import { found, NO, type Spot, spotAt, UNKNOWN } from './finding.js'
import { isLost } from './lost-region.js'
import { ValuesGiven } from './values-given.js'
import { Counting } from './values-said.js'
import type { Vocabulary } from './vocabulary.js'

const countingOf = ({ numbers, words }: NonNullable<Rule['gave']>, vocabulary: Vocabulary): Counting =>
  new Counting(numbers ? vocabulary.language.numbers : undefined, vocabulary.wordsOf(words))

/** A speaker says so many different values. */
export function compileGave(rule: NonNullable<Rule['gave']>, vocabulary: Vocabulary): CompiledRule {
  const { by, at_least: enough } = rule
  const counting = countingOf(rule, vocabulary)
  return compiled(
    ({ heard, readable }) => {
      if (!readable) return UNKNOWN
      const values = new Set<string>()
      const spots: Spot[] = []
      for (const turn of heard.by[by]) {
        for (const { value, from, to } of counting.of(turn)) {
          if (values.has(value)) continue
          values.add(value)
          spots.push(spotAt(turn, from, to, 1 / enough))
        }
      }
      return found(spots, enough, NO)
    },
    { words: true, speakers: [by] },
  )
}

/** A speaker repeats values that the other one said before. */
export function compileRepeats(rule: NonNullable<Rule['repeats']>, vocabulary: Vocabulary): CompiledRule {
  const { by, at_least: enough } = rule
  const counting = countingOf(rule, vocabulary)
  return compiled(
    ({ heard, readable }) => {
      if (!readable) return UNKNOWN
      const given = new ValuesGiven()
      const spots: Spot[] = []
      for (const turn of heard.spoken) {
        if (turn.actor === 'system') continue
        for (const { value, from, to } of counting.of(turn)) {
          if (turn.actor !== by) given.add(value)
          else if (given.take(value)) spots.push(spotAt(turn, from, to, 1 / enough))
        }
      }
      if (spots.length >= enough) return found(spots, enough, NO)
      return isLost(heard, [by], 0, Infinity) ? UNKNOWN : NO
    },
    { words: true, speakers: [by] },
  )
}
