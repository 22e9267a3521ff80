import { expect, test } from 'vitest'
import { changedFields, filledFields, untouched } from '../../console/screens/settings/changed-fields.js'
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

test('what the operation never takes away has to keep a value', () => {
  expect(fields.filter(({ stays }) => stays).map(({ name }) => name)).toEqual(['expires_at', 'min_group'])
})
