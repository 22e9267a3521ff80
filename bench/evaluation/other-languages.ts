import { builtInRubrics } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { backgroundCalls, falseAlarms, type FalseAlarms } from './background-calls.js'
import { type Around, type LabelledSentence, readSentences } from './labelled-sentences.js'
import { isUntouched } from './is-untouched.js'
import { measureTrades, readTradeCalls, type TradesMeasured } from './trade-calls.js'

/** Ordinary calls made of the background of a language. */
const BACKGROUND_CALLS = 200

/** Languages beside English that have a built-in rubric, with what is said around a single sentence. */
export const OTHER_LANGUAGES: readonly (Around & { readonly name: string })[] = [
  {
    language: 'de',
    name: 'German',
    lines: {
      'Hello.': 'Guten Tag.',
      'Okay.': 'Okay.',
      'Right.': 'Ja.',
      'My internet is not working.': 'Mein Internet geht nicht.',
      'I want to check my balance.': 'Wie ist mein Kontostand?',
      'I have reset the line, it is done.': 'Ich habe die Leitung zurückgesetzt, es ist erledigt.',
    },
  },
  {
    language: 'es',
    name: 'Spanish',
    lines: {
      'Hello.': 'Buenos días.',
      'Okay.': 'Bueno.',
      'Right.': 'Sí.',
      'My internet is not working.': 'No me funciona el internet.',
      'I want to check my balance.': '¿Cuál es mi saldo?',
      'I have reset the line, it is done.': 'Ya reinicié la línea, está arreglado.',
    },
  },
]

interface Half {
  readonly calls: TradesMeasured
  /** Sentences heard as they have to be. */
  readonly sentences: { readonly right: number; readonly of: number; readonly wrong: readonly string[] }
}

/** What the built-in rubric of a language hears in labelled calls, sentences and ordinary turns. */
export interface LanguageMeasured {
  readonly tuned: Half
  /** Nobody looks at what is wrong in these. */
  readonly untouched: Half
  readonly background: FalseAlarms
}

/** @param folder of the labelled calls, test/evaluation/ */
export function measureLanguage(around: Around, folder: string): LanguageMeasured {
  const { language, lines } = around
  const rules = new RulesEvaluator(builtInRubrics.get(`support-calls-${language}`)!)
  const calls = readTradeCalls(`${folder}calls-${language}.ndjson`)
  const sentences = readSentences(`${folder}ways-${language}.txt`, around)
  const half = (untouched: boolean): Half => ({
    calls: measureTrades(
      rules,
      calls.filter(({ id }) => id.startsWith('holdout-') === untouched),
    ),
    sentences: heard(
      rules,
      sentences.filter(({ line }) => isUntouched(line) === untouched),
    ),
  })
  const ordinary = { language, greeting: lines['Hello.'] ?? '' }
  return {
    tuned: half(false),
    untouched: half(true),
    background: falseAlarms(rules, backgroundCalls(`${folder}background-${language}.txt`, BACKGROUND_CALLS, ordinary)),
  }
}

function heard(rules: RulesEvaluator, sentences: readonly LabelledSentence[]): Half['sentences'] {
  const wrong = sentences.filter(({ labels, call }) => {
    const { fields } = rules.evaluate(call, new Date(0))
    return !Object.entries(labels).every(([key, label]) => {
      if (key === 'driver') return (fields?.interaction_driver ?? null) === label
      return (fields?.signals?.find(signal => signal.key === key)?.state ?? 'absent') === label
    })
  })
  return { right: sentences.length - wrong.length, of: sentences.length, wrong: wrong.map(({ id }) => id) }
}
