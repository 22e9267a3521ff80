import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from './a-call.js'

const evaluator = new RulesEvaluator(defaultRubric)

/** What the entry quotes of a call; undefined where the call does not have it. */
function quoted(language: string, lines: readonly string[]): readonly string[] | undefined {
  const { fields } = evaluator.evaluate(aCall(lines, { language_primary: language }), new Date(0))
  const entry = fields?.guidance?.find(({ key }) => key === 'guide.calm_under_pressure')
  return entry && (entry.evidence ?? []).map(({ quote }) => quote)
}

describe('calm under pressure', () => {
  it.each([
    [
      'en',
      [
        'a: Northfield Home, hello.',
        'c: My parcel never came. This is ridiculous.',
        'a: I am so sorry about that.',
        'c: Okay.',
      ],
      'I am so sorry about that.',
    ],
    [
      'de',
      [
        'a: Guten Tag, hier ist Nordfeld.',
        'c: Mein Paket kam nie an. Das ist eine Frechheit!',
        'a: Das tut mir sehr leid.',
        'c: Gut.',
      ],
      'Das tut mir sehr leid.',
    ],
    [
      'es',
      [
        'a: Hola, buenos días.',
        'c: Mi paquete nunca llegó. ¡Esto es una vergüenza!',
        'a: Le pido disculpas por las molestias.',
        'c: Bueno.',
      ],
      'Le pido disculpas por las molestias.',
    ],
  ])('quotes how the agent answered the anger (%s)', (language, lines, quote) => {
    expect(quoted(language, lines)).toEqual([quote])
  })

  it.each([
    [
      'nobody answers the anger',
      ['a: Then you need to talk to the carrier.', 'c: This is ridiculous.', 'a: That is the status.', 'c: Bye.'],
    ],
    [
      'it is refused',
      [
        'a: Hello.',
        'c: My parcel never came. This is ridiculous.',
        'a: I am so sorry, but I am unable to refund it.',
        'c: Bye.',
      ],
    ],
    [
      'the customer is insulted',
      [
        'a: Hello.',
        'c: It is broken.',
        'a: I am sorry. You typed it wrong, as children do.',
        'c: How dare you! I want your supervisor.',
        'a: Right.',
      ],
    ],
  ])('is no praise where %s', (_where, lines) => {
    expect(quoted('en', lines)).toBeUndefined()
  })
})
