import { expect, test } from 'vitest'
import { changedFields, filledFields, untouched } from '../../console/screens/settings/changed-fields.js'
import { keyPatch } from '../../src/access/key-fields.js'
import { keyFields } from '../../console/screens/settings/forms.js'
import { readForm } from '../../console/screens/settings/read-form.js'

const KEY = {
  name: 'Lead',
  allowed_agents: ['Ana Silva', 'Ben Okafor'],
  require_mapping: true,
  roles: ['Supervisor'],
  expires_at: '2027-03-01T12:34:56.789Z',
  min_group: 5,
}
const fields = filledFields(keyFields, KEY)
const before = readForm(fields, untouched(fields))

test('a form that was opened and not touched changes nothing', () => {
  expect(changedFields(fields, before, before)).toEqual({})
  expect(before).toMatchObject({ allowed_agents: KEY.allowed_agents, roles: ['Supervisor'], min_group: 5 })
})

test('only what is different is sent, and agents that were emptied as none', () => {
  const data = untouched(fields)
  data.set('allowed_agents', ' ')
  data.delete('require_mapping')
  data.set('min_group', '10')
  expect(changedFields(fields, readForm(fields, data), before)).toEqual({
    allowed_agents: [],
    require_mapping: false,
    min_group: 10,
  })
})

test('a bound that was emptied is taken away, and what the operation takes is what is sent of any field', () => {
  const all = filledFields(keyFields, {
    ...KEY,
    teams: ['north'],
    allowed_networks: ['10.0.0.0/8'],
    tools: ['search_calls'],
    requests_per_minute: 1,
    questions_per_day: 1,
    bytes_per_day: 1,
    processor_seconds_per_day: 1,
  })
  const data = untouched(all)
  const written = all.filter(({ kind, required }) => required !== true && !['flag', 'many', 'one'].includes(kind))
  for (const { name } of written) data.set(name, '')
  const changed = changedFields(all, readForm(all, data), readForm(all, untouched(all)))
  expect(Object.keys(changed).toSorted()).toEqual(written.map(({ name }) => name).toSorted())
  expect(changed).toMatchObject({ allowed_agents: [], teams: [], expires_at: null, tools: null, min_group: null })
  expect(keyPatch.safeParse(changed).error).toBeUndefined()
})
