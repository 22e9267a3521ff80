import { describe, expect, it } from 'vitest'
import { redundantPhrases } from '../../bench/evaluation/redundant-phrases.js'
import { builtInRubrics, defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'

describe('phrases that say nothing of their own', () => {
  it.each([...builtInRubrics.values()])('are in no built-in rubric: $rubric.name', ({ rubric }) => {
    expect(Object.fromEntries(redundantPhrases(rubric))).toEqual({})
  })

  it('are those whose every sentence another one of their list finds', () => {
    const redundant = redundantPhrases({
      ...defaultRubric.rubric,
      drivers: { turns: 4, table: [] },
      lists: {
        // The first three are found by the fourth; the fifth finds more, and has to have more.
        hold: [
          'bear with me a moment',
          'bear with us',
          '(please|do) bear with me',
          'bear with (me|us)',
          'bear with * *',
        ],
        // What makes void has to stand over as much.
        not_hold: ['i hold it', 'hold it', 'can not hold [the line]', 'can not hold'],
      },
    })
    expect(redundant.get('$hold')).toEqual(['bear with me a moment', 'bear with us', '(please|do) bear with me'])
    expect(redundant.get('$not_hold')).toEqual(['can not hold'])
  })
})
