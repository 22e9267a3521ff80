import { describe, expect, it } from 'vitest'
import {
  builtInCatalogs,
  guidanceEntry,
  projectCatalogs,
  signalEntry,
  withOverrides,
} from '../../src/calls/catalogs.js'

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
  it('are whole for a project without verticals', () => {
    expect(projectCatalogs({ verticals: [] })).toEqual(builtInCatalogs)
  })

  it('leave out what applies to other verticals only', () => {
    const banking = projectCatalogs({ verticals: ['Banking'] }, { signals: [own] })
    expect(banking.signals.has('sig.greeting_given')).toBe(true)
    expect(banking.signals.has('sig.compliance_disclosure')).toBe(true)
    expect(banking.signals.has('sig.upsell_offered')).toBe(false)
    expect(projectCatalogs({ verticals: ['retail'] }, { signals: [own] }).signals.has('sig.upsell_offered')).toBe(true)
  })

  it('put an own entry in the place of the built-in one, and leave the built-in catalogs as they are', () => {
    const greeting = builtInCatalogs.signals.get('sig.greeting_given')!
    const changed = withOverrides(builtInCatalogs, { signals: [{ ...greeting, display_name: 'Hello said' }, own] })
    expect([...changed.signals.keys()]).toEqual([...builtInCatalogs.signals.keys(), 'sig.upsell_offered'])
    expect(changed.signals.get('sig.greeting_given')?.display_name).toBe('Hello said')
    expect(builtInCatalogs.signals.get('sig.greeting_given')?.display_name).toBe('Greeting given')
  })
})
