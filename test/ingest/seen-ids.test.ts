import { describe, expect, it } from 'vitest'
import { SeenIds } from '../../src/ingest/seen-ids.js'

describe('SeenIds', () => {
  it('knows which of many ids it has met', () => {
    const seen = new SeenIds()
    const ids = Array.from({ length: 50_000 }, (_, index) => `call-${index}`)
    expect(ids.filter(id => seen.meet(id))).toEqual([])
    expect(ids.every(id => seen.meet(id))).toBe(true)
    expect(seen.meet('another')).toBe(false)
  })
})
