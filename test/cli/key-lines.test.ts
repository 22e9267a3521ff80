import { expect, test } from 'vitest'
import { mintedLines } from '../../src/cli/key-lines.js'

const minted = (allowed_agents: readonly string[]) =>
  mintedLines({
    key_id: 'key_1',
    id: 'key_1',
    name: 'Ana’s',
    key: 'esk_token',
    key_preview: 'esk_…',
    project_id: 'p',
    active: true,
    is_supervisor: false,
    roles: [],
    allowed_agents: [...allowed_agents],
    require_mapping: true,
    created_at: '2026-03-01T12:00:00.000Z',
    created_by: 'operator',
  })

// A name that no call has makes a key that hears nothing, which nobody notices who is not told how to look.
test('a key that names agents comes with the command that shows what it hears', () => {
  expect(minted(['Ana Ruiz'])).toMatch(/esk_token\n[^]*earshot keys show key_1 --project p --as-seen\n$/)
})

test('a key for the whole project needs none', () => {
  expect(minted([])).toMatch(/This is the only time the token is shown\.\n$/)
})
