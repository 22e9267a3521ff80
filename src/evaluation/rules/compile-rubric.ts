import { ADDRESSING } from './addressing-patterns.js'
import type { Rubric, RubricSignal } from '../rubric/rubric.js'
import { languageNamed } from './languages/languages.js'
import { RuleCompiler } from './compile-rule.js'
import type { CompiledRule } from './compiled-rule.js'
import type { Rule } from '../rubric/rule.js'
import { inOrder } from '../rubric/in-order.js'
import { signalsIn } from '../rubric/signals-in.js'
import { Vocabulary, type WordingSet } from './vocabulary.js'

/** A signal made ready. */
export interface CompiledSignal {
  readonly signal: RubricSignal
  /** Its place among the rubric's signals. */
  readonly place: number
  readonly applies: CompiledRule | undefined
  readonly present: CompiledRule
  readonly unclear: CompiledRule | undefined
  readonly absent: CompiledRule | undefined
  /** What it counts where one of these holds: the first that does. */
  readonly worth: readonly { readonly when: CompiledRule; readonly counts: number }[]
  /** It can't be evaluated without reading words, or without times. */
  readonly words: boolean
  readonly times: boolean
  /** How often it is right, as measured, and the words with which it is more often so. */
  readonly confidence: RubricSignal['confidence']
  readonly usual: ReadonlySet<string>
}

/** A rubric with its rules made ready: done once, then any number of calls are read by it. */
export interface CompiledRubric {
  readonly rubric: Rubric
  readonly vocabulary: Vocabulary
  /** Those a call is read for, each after the signals its rules ask about. */
  readonly signals: readonly CompiledSignal[]
  readonly drivers: readonly {
    readonly driver: string
    readonly description: string | undefined
    readonly any: WordingSet
    readonly not: WordingSet | undefined
    readonly hints: WordingSet | undefined
  }[]
  /** The lowest first. */
  readonly caps: readonly {
    readonly cap: Rubric['caps'][number]
    readonly when: CompiledRule
    /** The signals its rule asks about. */
    readonly signals: readonly string[]
  }[]
  readonly csat: readonly { readonly part: CsatPart; readonly when: CompiledRule }[]
  /** What is no conversation to score; the first that holds. */
  readonly unscored: readonly { readonly entry: Rubric['unscored'][number]; readonly when: CompiledRule }[]
  readonly readings: readonly {
    readonly key: string
    readonly values: readonly { readonly value: string; readonly when: CompiledRule | undefined }[]
  }[]
  /** Opportunities before excellences, the most urgent first. */
  readonly guidance: readonly {
    readonly guide: Rubric['guidance'][number]
    readonly when: CompiledRule
    /** The signals its rule asks about. */
    readonly signals: readonly string[]
  }[]
  readonly holds: WordingSet | undefined
  readonly backchannels: WordingSet | undefined
  readonly intensifiers: WordingSet | undefined
  /** Words of those who speak to whoever evaluates. */
  readonly addressing: WordingSet
}

type CsatPart = NonNullable<Rubric['csat']>['parts'][number]

/**
 * @param verticals the project's lines of business; signals and guidance for others are left out, empty takes all
 * @param vocabulary where its words go; measuring which phrases matter takes one of its own
 * @throws RangeError for what checkRubric would have found
 */
export function compileRubric(
  rubric: Rubric,
  verticals: readonly string[] = [],
  vocabulary = new Vocabulary(rubric.lists, languageNamed(rubric.language)),
): CompiledRubric {
  const rules = new RuleCompiler(vocabulary, rubric.course)
  const ready = (rule: Rule): CompiledRule => rules.compile(rule)
  const wanted = new Set(verticals.map(vertical => vertical.toLowerCase()))
  const applies = (entry: { readonly active: boolean; readonly verticals: readonly string[] }): boolean =>
    entry.active &&
    (wanted.size === 0 || entry.verticals.length === 0 || entry.verticals.some(one => wanted.has(one.toLowerCase())))
  const compileSignal = (signal: RubricSignal): CompiledSignal => {
    const present = ready(signal.present)
    return {
      signal,
      place: rubric.signals.indexOf(signal),
      applies: signal.applies && ready(signal.applies),
      present,
      unclear: signal.unclear && ready(signal.unclear),
      absent: signal.absent && ready(signal.absent),
      worth: signal.worth.map(({ when, counts }) => ({ when: ready(when), counts })),
      words: present.words,
      times: present.times,
      confidence: signal.confidence,
      usual: new Set(signal.confidence?.wordings),
    }
  }
  const drivers = rubric.drivers.table.map(({ driver, description, any, not, hints }) => ({
    driver,
    description,
    any: vocabulary.add(any, ['customer']),
    not: not && vocabulary.add(not, ['customer']),
    hints: hints && vocabulary.add(hints, ['customer']),
  }))
  const compiled = {
    rubric,
    vocabulary,
    signals: inOrder(rubric.signals).filter(applies).map(compileSignal),
    drivers,
    caps: rubric.caps
      .filter(({ active }) => active)
      .toSorted((a, b) => a.most - b.most)
      .map(cap => ({ cap, when: ready(cap.when), signals: signalsIn(cap.when) })),
    csat: rubric.csat?.parts.filter(({ active }) => active).map(part => ({ part, when: ready(part.when) })) ?? [],
    unscored: rubric.unscored.map(entry => ({ entry, when: ready(entry.when) })),
    readings: rubric.readings.map(({ key, values }) => ({
      key,
      values: values.map(({ value, when }) => ({ value, when: when && ready(when) })),
    })),
    guidance: rubric.guidance
      .filter(applies)
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(guide => ({ guide, when: ready(guide.when), signals: signalsIn(guide.when) })),
    holds: rubric.holds && vocabulary.add(rubric.holds, ['agent']),
    backchannels: rubric.backchannels && vocabulary.add(rubric.backchannels, ['agent', 'customer']),
    intensifiers: rubric.intensifiers && vocabulary.add(rubric.intensifiers, ['agent', 'customer']),
    addressing: vocabulary.add(ADDRESSING, ['agent', 'customer', 'system']),
  }
  vocabulary.complete()
  return compiled
}

const URGENCY = ['p0', 'p1', 'p2']

function rankOf({ kind, priority }: Rubric['guidance'][number]): number {
  return (kind === 'opportunity' ? 0 : URGENCY.length) + URGENCY.indexOf(priority)
}
