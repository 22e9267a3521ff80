import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/access/caller.js'
import { CursorSeal } from '../../src/access/cursor-seal.js'
import { refusal } from '../support/access.js'

const seal = new CursorSeal(randomBytes(32).toString('base64url'))
const caller: Caller = {
  project_id: 'p1',
  source: 'application_key',
  app_name: 'Dashboard',
  credential_id: 'key_1',
  access_scope: { is_supervisor: true, roles: [], allowed_agents: [], require_mapping: false, text: 'full' },
}
const cursors = seal.of(caller)
const input = { limit: 10, agent_name: 'Ann', sort: 'date_desc' }
const REFUSED = 'invalid_input: Cursor belongs to another query'

describe('a sealed cursor', () => {
  it('gives its position back for the same query, in whatever order the arguments come', () => {
    const cursor = cursors.seal('search_calls', input, { after: ['2026-03-01', 's1'] })
    const again = { sort: 'date_desc', agent_name: 'Ann', limit: 10, cursor, date_from: undefined }
    expect(cursors.open('search_calls', again, cursor)).toEqual({ after: ['2026-03-01', 's1'] })
  })

  it('shows nothing of the position, and never looks the same', () => {
    const [a, b] = [1, 2].map(() => cursors.seal('search_calls', input, { after: 'session-4711' }))
    expect(a).not.toBe(b)
    expect(Buffer.from(a ?? '', 'base64url').toString('latin1')).not.toContain('4711')
  })

  const cursor = cursors.seal('search_calls', input, 1)
  it.each<[string, () => unknown]>([
    ['another question', () => cursors.open('get_signals', input, cursor)],
    ['another argument', () => cursors.open('search_calls', { ...input, limit: 11 }, cursor)],
    ['one argument more', () => cursors.open('search_calls', { ...input, text: 'x' }, cursor)],
    ['one argument less', () => cursors.open('search_calls', { limit: 10 }, cursor)],
    ['another project', () => seal.of({ ...caller, project_id: 'p2' }).open('search_calls', input, cursor)],
    ['another key', () => seal.of({ ...caller, credential_id: 'key_2' }).open('search_calls', input, cursor)],
    [
      'an administrator of the same name',
      () => seal.of({ ...caller, source: 'admin_token' }).open('search_calls', input, cursor),
    ],
    [
      'another installation',
      () => new CursorSeal(randomBytes(32).toString('base64url')).of(caller).open('search_calls', input, cursor),
    ],
    ['nothing', () => cursors.open('search_calls', input, '')],
    ['no base64', () => cursors.open('search_calls', input, '%%%')],
    ['a line feed more', () => cursors.open('search_calls', input, `${cursor}\n`)],
    ['padding', () => cursors.open('search_calls', input, `${cursor}=`)],
    ['ten megabytes', () => cursors.open('search_calls', input, 'A'.repeat(10_000_000))],
    ['only nonce and tag', () => cursors.open('search_calls', input, Buffer.alloc(28).toString('base64url'))],
  ])('does not open for %s', async (_, open) => {
    expect(await refusal(open)).toBe(REFUSED)
  })

  it('does not open with any bit changed or any end cut off', async () => {
    const bytes = Buffer.from(cursor, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await refusal(() => cursors.open('search_calls', input, changed.toString('base64url')))).toBe(REFUSED)
    }
    for (let length = 0; length < cursor.length; length += 1) {
      expect(await refusal(() => cursors.open('search_calls', input, cursor.slice(0, length)))).toBe(REFUSED)
    }
  })

  it('opens for any arguments it was sealed with, __proto__ and friends included', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (args, position) => {
        const shuffled = Object.fromEntries(Object.entries(args).toReversed())
        const kept = JSON.parse(JSON.stringify(position)) as unknown
        expect(cursors.open('q', shuffled, cursors.seal('q', args, position))).toEqual(kept)
      }),
      { numRuns: 200 },
    )
  })

  it('is never made longer than what is taken back', () => {
    expect(() => cursors.seal('q', {}, 'x'.repeat(4_000))).toThrow('would not be taken back')
  })

  it('needs a key of 32 bytes', () => {
    expect(() => new CursorSeal('short')).toThrow('32 bytes')
  })
})
