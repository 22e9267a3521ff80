import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultRubric, extendableRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { leftOutOf } from '../../../src/evaluation/rubric/left-out.js'
import { parseRubric } from '../../../src/evaluation/rubric/parse-rubric.js'

const leftOut = (text: string) => leftOutOf(text, parseRubric(text, extendableRubrics), extendableRubrics)

const FRENCH = `
extends: support-calls
name: appels
title: Appels
language: fr
lists: { greeting: [bonjour], hold: ['un instant'] }
drivers: { table: [{ driver: check balance, any: [mon solde] }] }
signals:
  - { key: sig.greeting_given, coaching: { strength: Bien., improvement: Mal., next_step: Dites bonjour. } }
guidance:
  - { key: guide.avoid_dead_air, remove: true }
`

describe('what a translation leaves out', () => {
  it('is told by part and key, with the lists of words that it would take', () => {
    const [found, ...more] = leftOut(FRENCH)
    expect(more).toEqual([])
    expect(found).toMatchObject({ of: 'support-calls' })
    const { parts, lists, coaching } = found!
    expect(parts['signals']).toContain('sig.closing_courtesy')
    for (const kept of ['sig.greeting_given', 'sig.hold_requested', 'sig.agent_interrupts']) {
      expect.soft(parts['signals'], kept).not.toContain(kept)
    }
    // What the file takes out by its own word is no surprise.
    expect(parts['guidance']).not.toContain('guide.avoid_dead_air')
    expect(parts['drivers']).toContain('cancellation')
    expect(parts['drivers']).not.toContain('check balance')
    expect(parts['readings']).toContain('resolution: resolved')
    expect(Object.keys(parts)).toEqual(['signals', 'drivers', 'caps', 'csat', 'unscored', 'readings', 'guidance'])
    expect(lists).toEqual(expect.arrayContaining(['farewell', 'resolution']))
    expect(lists).not.toContain('hold')
    expect(coaching).toContain('sig.agent_interrupts')
    expect(coaching).not.toContain('sig.greeting_given')
    // And all of it is gone from what the file comes to.
    const kept = new Set(parseRubric(FRENCH, extendableRubrics).signals.map(({ key }) => key))
    expect(parts['signals']!.filter(key => kept.has(key))).toEqual([])
    expect(kept.size + parts['signals']!.length).toBe(defaultRubric.rubric.signals.length)
  })

  it.each(['de', 'es'])(
    'is one driver in the built-in one of %s, and nothing where the language is the same',
    language => {
      const text = readFileSync(`rubrics/support-calls-${language}.yaml`, 'utf8')
      expect(leftOut(text)).toEqual([
        { of: 'support-calls', parts: { drivers: ['order checks'] }, lists: [], coaching: [] },
      ])
      expect(leftOut('extends: support-calls\nname: own\ntitle: Own')).toEqual([])
    },
  )

  it('is told of each kind of calls', () => {
    const kinds = `kinds: [{ key: ventes, when: { direction: [outbound] }, rubric: { extends: sales-calls, name: ventes, title: Ventes, language: fr } }]`
    const found = leftOut(`extends: support-calls\nname: own\ntitle: Own\n${kinds}`)
    expect(found.map(({ kind, of }) => [kind, of])).toEqual([['ventes', 'sales-calls']])
  })
})
