import type { Rubric } from '../rubric/rubric.js'
import type { Rule } from '../rubric/rule.js'
import { compileSay } from './compile-say.js'
import { compileEmpty, Course } from './follow-course.js'
import { compileGap, compileOverlap, compileSilence, compileTalk } from './compile-time-rules.js'
import { compileGave, compileRepeats } from './compile-value-rules.js'
import { type CompiledRule, compiled, composed } from './compiled-rule.js'
import { NO, type Spot, spotAt, UNKNOWN, yes } from './finding.js'
import type { Vocabulary } from './vocabulary.js'

type Ready = { -readonly [Field in keyof CompiledRule]: CompiledRule[Field] }

/** Makes rules ready; their words are added to the vocabulary, which has to be whole before a call is read. */
export class RuleCompiler {
  readonly #vocabulary: Vocabulary
  readonly #known = new Map<string, Ready>()
  /** Those that stand in several places; they remember what they found in a reading. */
  readonly #remembering = new Set<Ready>()

  readonly #course: Rubric['course']
  #followed: Course | undefined

  /** @param course what rules of the kind `course` follow */
  constructor(vocabulary: Vocabulary, course?: Rubric['course']) {
    this.#vocabulary = vocabulary
    this.#course = course
  }

  /**
   * Equal rules are one, which looks at a call once: what counts as trouble decides when empathy applies and when it is shown.
   * @throws RangeError for phrases and patterns that can't be read
   */
  compile(rule: Rule): CompiledRule {
    const name = JSON.stringify(rule)
    const known = this.#known.get(name)
    if (known === undefined) {
      const one = this.#compile(rule)
      this.#known.set(name, one)
      return one
    }
    // One that asks about signals finds other things as they come.
    if (known.signals.size === 0 && !this.#remembering.has(known)) {
      const { find } = known
      const number = this.#remembering.size
      this.#remembering.add(known)
      known.find = reading => (reading.found[number] ??= find(reading))
    }
    return known
  }

  #compile(rule: Rule): CompiledRule {
    const all = (rules: readonly Rule[]) => rules.map(one => this.compile(one))
    if (rule.say !== undefined) {
      const { after } = rule.say
      return compileSay(rule.say, this.#vocabulary, after && this.compile(after.rule))
    }
    if (rule.gap !== undefined) return compileGap(rule.gap, this.#vocabulary)
    if (rule.overlap !== undefined) return compileOverlap(rule.overlap)
    if (rule.silence !== undefined) return compileSilence(rule.silence)
    if (rule.talk !== undefined) return compileTalk(rule.talk)
    if (rule.repeats !== undefined) return compileRepeats(rule.repeats, this.#vocabulary)
    if (rule.gave !== undefined) return compileGave(rule.gave, this.#vocabulary)
    if (rule.driver !== undefined) return compileDriver(rule.driver)
    if (rule.signal !== undefined) return compileSignal(rule.signal)
    if (rule.course !== undefined) return this.#compileCourse(rule.course)
    if (rule.all !== undefined) return compileAll(all(rule.all))
    if (rule.any !== undefined) return compileAny(all(rule.any))
    if (rule.not !== undefined) return compileNot(this.compile(rule.not))
    throw new RangeError('a rule is empty')
  }

  #compileCourse({ is, empty }: NonNullable<Rule['course']>): CompiledRule {
    const rubric = this.#course
    if (rubric === undefined) throw new RangeError('the rubric has no course')
    this.#followed ??= new Course({
      steps: {
        claimed: this.compile(rubric.claimed),
        refused: this.compile(rubric.refused),
        accepted: this.compile(rubric.accepted),
        contested: this.compile(rubric.contested),
      },
      words: rubric,
      language: this.#vocabulary.language,
    })
    const rules = [
      ...(is === undefined ? [] : [this.#followed.endsIn(is)]),
      ...(empty === undefined ? [] : [compileEmpty(this.compile(rubric.claimed), rubric, this.#vocabulary)]),
    ]
    return rules.length === 1 ? rules[0]! : compileAll(rules)
  }
}

function compileDriver({ is, heard, hinted }: NonNullable<Rule['driver']>): CompiledRule {
  const wanted = is === undefined ? undefined : new Set(is)
  return compiled(
    ({ driver: { driver, heard: said, unknown } }) => {
      if (hinted === true && said?.hinted !== true) return NO
      if (heard === true && said?.hinted === true) return NO
      const one = heard === true ? said?.driver : driver
      if (one !== undefined) {
        if (wanted !== undefined && !wanted.has(one)) return NO
        return yes(said?.driver === one ? [said.spot] : [])
      }
      return unknown ? UNKNOWN : NO
    },
    { words: true, speakers: heard === true ? ['customer'] : [] },
  )
}

function compileSignal({ key, is }: NonNullable<Rule['signal']>): CompiledRule {
  return compiled(({ states }) => (states.get(key) === is ? yes([]) : NO), { signals: [key] })
}

/** All of them hold: the places of all speak for it. */
function compileAll(parts: readonly CompiledRule[]): CompiledRule {
  return composed(reading => {
    const spots: Spot[] = []
    let unknown = false
    let showing = 0
    for (const part of parts) {
      const finding = part.find(reading)
      if (finding.truth === 'no') return NO
      if (finding.truth === 'unknown') unknown = true
      if (finding.spots.length > 0) showing += 1
      for (const spot of finding.spots) spots.push(spot)
    }
    if (unknown) return UNKNOWN
    // Where it takes several to show it, each is a part of it.
    if (showing < 2) return yes(spots)
    return yes(
      spots.map(({ turn, from, to, amount = 1, measured }) => spotAt(turn, from, to, amount / showing, measured)),
    )
  }, parts)
}

/** One of them holds: the places of all that do speak for it, in the order of the call. */
function compileAny(parts: readonly CompiledRule[]): CompiledRule {
  return composed(reading => {
    const spots: Spot[] = []
    let held = false
    let unknown = false
    for (const part of parts) {
      const finding = part.find(reading)
      if (finding.truth === 'yes') {
        held = true
        for (const spot of finding.spots) spots.push(spot)
      } else if (finding.truth === 'unknown') unknown = true
    }
    if (held) return yes(isInOrder(spots) ? spots : spots.toSorted((a, b) => a.turn.index - b.turn.index))
    return unknown ? UNKNOWN : NO
  }, parts)
}

function isInOrder(spots: readonly Spot[]): boolean {
  for (let at = 1; at < spots.length; at += 1) {
    if (spots[at]!.turn.index < spots[at - 1]!.turn.index) return false
  }
  return true
}

/** It does not hold. That nothing is there has no place. */
function compileNot(part: CompiledRule): CompiledRule {
  return composed(
    reading => {
      const { truth } = part.find(reading)
      if (truth === 'unknown') return UNKNOWN
      return truth === 'yes' ? NO : yes([])
    },
    [part],
  )
}
