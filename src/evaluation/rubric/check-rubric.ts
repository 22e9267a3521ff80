import { echo } from '../../base/text.js'
import { compilePattern, expand, patternOf } from '../rules/vocabulary.js'
import type { Language } from '../rules/languages/language.js'
import { languageNamed } from '../rules/languages/languages.js'
import { parsePhrase } from '../rules/phrase.js'
import { inOrder, SignalCycle } from './in-order.js'
import { MOST_WRITTEN_OUT, RubricCost } from './rubric-cost.js'
import type { Rubric } from './rubric.js'
import { signalsIn } from './signals-in.js'
import type { Rule } from './rule.js'

/** Something wrong in a rubric: where, and a sentence's end that begins with the field's name. */
export interface RubricFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = readonly (string | number)[]

/** What the schema alone can't see: names that name nothing, things said twice, phrases and patterns that can't be read. */
export function checkRubric(rubric: Rubric): readonly RubricFault[] {
  const check = new Check(rubric)
  check.all()
  const kinds = rubric.kinds ?? []
  const names = new Set([rubric.name])
  for (const [at, { rubric: its }] of kinds.entries()) {
    const path = ['kinds', at, 'rubric']
    check.faults.push(...checkRubric(its).map(fault => ({ ...fault, path: [...path, ...fault.path] })))
    if (names.has(its.name)) {
      const message = `is the name of another rubric of this project too (${its.name}): evaluations tell them apart by it`
      check.faults.push({ path: [...path, 'name'], message })
    }
    names.add(its.name)
    if (kinds.slice(0, at).some(({ key }) => key === kinds[at]!.key))
      check.faults.push({ path: ['kinds', at, 'key'], message: `is there twice: ${kinds[at]!.key}` })
  }
  return check.faults
}

class Check {
  readonly faults: RubricFault[] = []
  readonly #rubric: Rubric
  readonly #language: Language
  readonly #signals: ReadonlySet<string>
  readonly #cost = new RubricCost()
  readonly #room = { left: MOST_WRITTEN_OUT }
  /** Wordings whose cost is counted: equal ones are read as one. */
  readonly #counted = new Set<string>()

  constructor(rubric: Rubric) {
    this.#rubric = rubric
    this.#language = languageNamed(rubric.language)
    this.#signals = new Set(rubric.signals.map(({ key }) => key))
  }

  all(): void {
    const { lists, drivers, dimensions, signals, caps, csat, unscored, readings, guidance, holds } = this.#rubric
    const { backchannels, intensifiers } = this.#rubric
    for (const [name, list] of Object.entries(lists)) this.#wording(list, ['lists', name], name)
    for (const [at, { any, not, hints }] of drivers.table.entries()) {
      this.#wording(any, ['drivers', 'table', at, 'any'])
      if (not !== undefined) this.#wording(not, ['drivers', 'table', at, 'not'])
      if (hints !== undefined) this.#wording(hints, ['drivers', 'table', at, 'hints'])
    }
    if (holds !== undefined) this.#wording(holds, ['holds'])
    if (backchannels !== undefined) this.#wording(backchannels, ['backchannels'])
    if (intensifiers !== undefined) this.#wording(intensifiers, ['intensifiers'])
    this.#distinct(
      drivers.table.map(({ driver }) => driver),
      ['drivers', 'table'],
      'driver',
    )
    this.#distinct(
      dimensions.map(({ key }) => key),
      ['dimensions'],
      'key',
    )
    this.#distinct(
      signals.map(({ key }) => key),
      ['signals'],
      'key',
    )
    this.#distinct(
      caps.map(({ key }) => key),
      ['caps'],
      'key',
    )
    this.#distinct(
      readings.map(({ key }) => key),
      ['readings'],
      'key',
    )
    this.#distinct(
      guidance.map(({ key }) => key),
      ['guidance'],
      'key',
    )
    this.#distinct(csat?.parts.map(({ key }) => key) ?? [], ['csat', 'parts'], 'key')
    this.#courseRules()
    this.#signalRules()
    for (const [at, { when }] of caps.entries()) this.#rule(when, ['caps', at, 'when'])
    for (const [at, { when, key }] of (csat?.parts ?? []).entries()) {
      this.#rule(when, ['csat', 'parts', at, 'when'])
      if (key === 'start')
        this.#fault(['csat', 'parts', at, 'key'], "can't be start: the condition of that name is the start itself")
    }
    this.#distinct(
      unscored.map(({ key }) => key),
      ['unscored'],
      'key',
    )
    for (const [at, { when }] of unscored.entries()) this.#rule(when, ['unscored', at, 'when'])
    for (const [at, { values }] of readings.entries()) {
      for (const [value, { when }] of values.entries()) {
        if (when !== undefined) this.#rule(when, ['readings', at, 'values', value, 'when'])
      }
    }
    for (const [at, { when }] of guidance.entries()) {
      this.#rule(when, ['guidance', at, 'when'])
      if (!onlySignals(when))
        this.#fault(['guidance', at, 'when'], 'may ask about signals only (signal, all, any, not)')
    }
  }

  #courseRules(): void {
    const { course } = this.#rubric
    if (course === undefined) return
    for (const part of ['claimed', 'refused', 'accepted', 'contested'] as const) {
      const path = ['course', part]
      this.#rule(course[part], path)
      if (!hasPlace(course[part])) this.#fault(path, 'finds no turn: name something that is said')
      if (signalsIn(course[part]).length > 0) this.#fault(path, "can't ask about signals, which ask about the course")
    }
    this.#wording(course.stock, ['course', 'stock'])
  }

  #signalRules(): void {
    const { signals, dimensions } = this.#rubric
    const keys = new Set(dimensions.map(({ key }) => key))
    for (const [at, signal] of signals.entries()) {
      if (signal.weight > 0 && !keys.has(signal.category)) {
        const known = [...keys].join(', ')
        this.#fault(
          ['signals', at, 'category'],
          `must be a dimension of this rubric (${known}), since the signal weighs something`,
        )
      }
      for (const name of ['applies', 'present', 'unclear', 'absent'] as const) {
        const rule = signal[name]
        if (rule !== undefined) this.#rule(rule, ['signals', at, name])
      }
      for (const [one, { when }] of signal.worth.entries()) this.#rule(when, ['signals', at, 'worth', one, 'when'])
    }
    try {
      inOrder(signals)
    } catch (error) {
      if (!(error instanceof SignalCycle)) throw error
      const at = signals.findIndex(({ key }) => key === error.keys[0])
      this.#fault(['signals', at], `can't be decided, because ${error.message}`)
    }
  }

  #rule(rule: Rule, path: Path): void {
    const { say, gap, driver, signal, course, repeats, gave, all, any, not } = rule
    if (say !== undefined) {
      if (say.any !== undefined) this.#wording(say.any, [...path, 'say', 'any'])
      if (say.not !== undefined) this.#wording(say.not, [...path, 'say', 'not'])
      if (say.after !== undefined) {
        this.#rule(say.after.rule, [...path, 'say', 'after', 'rule'])
        if (!hasPlace(say.after.rule)) {
          this.#fault(
            [...path, 'say', 'after', 'rule'],
            'finds no turn to come after: name something that is said or measured',
          )
        }
      }
    }
    if (gap?.unless !== undefined) this.#wording(gap.unless.any, [...path, 'gap', 'unless', 'any'])
    for (const [name, values] of Object.entries({ repeats, gave })) {
      for (const [at, one] of (values?.words ?? []).entries()) this.#value(one, [...path, name, 'words', at])
    }
    if (driver?.is !== undefined) {
      const known = new Set(this.#rubric.drivers.table.map(one => one.driver))
      for (const [at, name] of driver.is.entries()) {
        if (!known.has(name))
          this.#fault([...path, 'driver', 'is', at], `names a driver that is not in the table: ${name}`)
      }
    }
    if (signal !== undefined && !this.#signals.has(signal.key)) {
      this.#fault([...path, 'signal', 'key'], `names a signal that is not in this rubric: ${signal.key}`)
    }
    if (course !== undefined && this.#rubric.course === undefined) {
      this.#fault([...path, 'course'], "can't be followed: the rubric has no course, which says what moves it on")
    }
    for (const [at, one] of (all ?? []).entries()) this.#rule(one, [...path, 'all', at])
    for (const [at, one] of (any ?? []).entries()) this.#rule(one, [...path, 'any', at])
    if (not !== undefined) this.#rule(not, [...path, 'not'])
  }

  /** @param list the list that these are the entries of: they cost something where they are looked for only */
  #wording(entries: readonly string[], path: Path, list?: string): void {
    const within = list === undefined ? [] : [list]
    const name = JSON.stringify(entries)
    const counts = list === undefined && !this.#counted.has(name)
    if (counts) this.#counted.add(name)
    for (const [at, entry] of entries.entries()) {
      const isPattern = patternOf(entry) !== undefined
      try {
        for (const one of expand([entry], this.#rubric.lists, within, this.#room)) {
          const costly = this.#read(one, counts)
          if (costly !== undefined) this.#fault([...path, at], costly)
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#fault([...path, at], isPattern ? `is not a pattern of RE2: ${reason}` : `can't be read: ${reason}`)
        // Nothing that comes after has room either.
        if (this.#room.left < 0) return
      }
    }
  }

  /** A value is a word, or the name of a list of words. */
  #value(entry: string, path: Path): void {
    try {
      for (const one of expand([entry], this.#rubric.lists, [], this.#room)) {
        const phrase = parsePhrase(one, this.#language)
        if (phrase.length === 1 && phrase[0]?.kind === 'word') continue
        this.#fault(path, `must be a word, or the name of a list of words, not ${echo(one)}`)
        return
      }
    } catch (error) {
      this.#fault(path, `can't be read: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** @returns that it is too costly */
  #read(entry: string, counts: boolean): string | undefined {
    const pattern = patternOf(entry)
    if (pattern === undefined) {
      const phrase = parsePhrase(entry, this.#language)
      return counts ? this.#cost.addPhrase(phrase) : undefined
    }
    const compiled = compilePattern(pattern)
    return counts ? this.#cost.addPattern(compiled) : undefined
  }

  #distinct(values: readonly string[], path: Path, field: string): void {
    const seen = new Set<string>()
    for (const [at, value] of values.entries()) {
      if (seen.has(value)) this.#fault([...path, at, field], `is there twice: ${value}`)
      seen.add(value)
    }
  }

  #fault(path: Path, message: string): void {
    this.faults.push({ path, message })
  }
}

/** Whether a rule finds places in the call, not only that something is so. */
function hasPlace(rule: Rule): boolean {
  if (rule.all !== undefined) return rule.all.some(one => hasPlace(one))
  if (rule.any !== undefined) return rule.any.some(one => hasPlace(one))
  return rule.signal === undefined && rule.not === undefined
}

function onlySignals(rule: Rule): boolean {
  if (rule.all !== undefined) return rule.all.every(one => onlySignals(one))
  if (rule.any !== undefined) return rule.any.every(one => onlySignals(one))
  if (rule.not !== undefined) return onlySignals(rule.not)
  return rule.signal !== undefined
}
