import { expect, test } from 'vitest'
import { changedLines, mintedLines, seenLines } from '../../src/cli/key-lines.js'

const key = {
  key_id: 'key_1',
  id: 'key_1',
  name: 'Ana’s',
  key_preview: 'esk_…',
  project_id: 'p',
  active: true,
  is_supervisor: false,
  roles: [],
  allowed_agents: [],
  require_mapping: true,
  created_at: '2026-03-01T12:00:00.000Z',
  created_by: 'operator',
}
const minted = (allowed_agents: readonly string[]) =>
  mintedLines({ ...key, key: 'esk_token', allowed_agents: [...allowed_agents] })

// A name that no call has makes a key that hears nothing, which nobody notices who is not told how to look.
test('a key that names agents comes with the command that shows what it hears', () => {
  expect(minted(['Ana Ruiz'])).toMatch(/esk_token\n[^]*earshot keys show key_1 --project p --as-seen\n$/)
})

test('a key for the whole project needs none', () => {
  expect(minted([])).toMatch(/This is the only time the token is shown\.\n$/)
})

test('a key that is revoked while another of its rotation is accepted says till when, and how to end that too', () => {
  const until = '2026-03-01T13:00:00.000Z'
  const still_accepted = [{ key_id: 'key_0', name: 'Ana’s', key_preview: 'esk_a…z', expires_at: until }]
  expect(changedLines({ ...key, active: false, still_accepted })).toContain(
    `key_0 (esk_a…z) of the same rotation is still accepted until ${until}. To end it too:\n  earshot keys revoke key_0 --project p\n`,
  )
  expect(changedLines({ ...key, active: false })).not.toContain('still accepted')
})

test.each([
  ['full_project', {}, 'the full project'],
  ['groups', {}, 'groups of calls alone'],
  ['nothing', { agents_total: 0 }, 'no calls'],
  ['agents', { agents: [{ agent_name: 'Ana' }, { agent_name: 'Ben' }], agents_total: 2 }, 'calls of 2 agents'],
] as const)('where no calls are counted it is said whose are heard: %s', (hears, more, said) => {
  const scope = {
    asked_by: { kind: 'application_key' as const, name: 'k' },
    project: { project_id: 'p', name: 'P' },
    hears,
    agents: [],
    rules: [],
    left_out: [],
    tools: [],
    may: [],
    ...more,
  }
  expect(seenLines({ key, accepted: true, scope })).toContain(`Sees             ${said}\n`)
})
