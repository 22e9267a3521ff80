import { describe, expect, it } from 'vitest'
import { guidanceEntry, projectCatalogs, signalEntry } from '../../src/calls/catalogs.js'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'

const own = {
  signal_key: 'sig.upsell_offered',
  display_name: 'Upsell offered',
  description: 'The agent offers something more.',
  category: 'context' as const,
  applicable_verticals: ['retail'],
  active: true,
}

describe('the built-in catalogs', () => {
  it('hold entries that fit their own schemas, under their own keys', () => {
    for (const [key, entry] of builtInCatalogs.signals) {
      expect(signalEntry.parse(entry)).toEqual(entry)
      expect(entry.signal_key).toBe(key)
    }
    for (const [key, entry] of builtInCatalogs.guidance) {
      expect(guidanceEntry.parse(entry)).toEqual(entry)
      expect(entry.guide_key).toBe(key)
    }
  })

  it('tie every coaching entry to signals that exist, and every signal to an entry', () => {
    const tied = new Set([...builtInCatalogs.guidance.values()].flatMap(entry => entry.signal_keys))
    expect([...tied].filter(key => !builtInCatalogs.signals.has(key))).toEqual([])
    expect([...builtInCatalogs.signals.keys()].filter(key => !tied.has(key))).toEqual([])
  })
})

describe('the catalogs of a project', () => {
  const { signals, guidance } = builtInCatalogs
  const all = { signals: new Map([...signals, [own.signal_key, own] as const]), guidance }

  it('are whole for a project without verticals', () => {
    expect(projectCatalogs({ verticals: [] }, all)).toEqual(all)
  })

  it('leave out what applies to other verticals only', () => {
    const banking = projectCatalogs({ verticals: ['Banking'] }, all)
    expect(banking.signals.has('sig.greeting_given')).toBe(true)
    expect(banking.signals.has('sig.compliance_disclosure')).toBe(true)
    expect(banking.signals.has('sig.upsell_offered')).toBe(false)
    expect(projectCatalogs({ verticals: ['retail'] }, all).signals.has('sig.upsell_offered')).toBe(true)
  })
})
