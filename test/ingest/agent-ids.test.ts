import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AgentIds } from '../../src/ingest/agent-ids.js'

const hash = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 6)

describe('AgentIds', () => {
  it.each([
    ['Ann Lee', 'ann-lee'],
    ["Ann-Marie O'Neil 3", 'ann-marie-o-neil-3'],
    ['Łukasz Żak', 'łukasz-żak'],
    ['王小明', '王小明'],
    ['अनीता शर्मा', 'अनीता-शर्मा'],
    ['Zoë', 'zoë'],
  ])('calls %s %s', (name, id) => {
    expect(new AgentIds(new Map()).idOf(name, undefined)).toBe(id)
  })

  it('hashes a name without letters', () => {
    expect(new AgentIds(new Map()).idOf('***', undefined)).toBe(`-${hash('***')}`)
  })

  it('hashes a name whose id belongs to another name, in this import or before it', () => {
    const ids = new AgentIds(new Map([['bo-ek', 'Bo-Ek']]))
    expect(ids.idOf('Bo Ek', undefined)).toBe(`bo-ek-${hash('Bo Ek')}`)
    expect(ids.idOf('Bo-Ek', undefined)).toBe('bo-ek')
    expect(ids.idOf('Ann Lee', undefined)).toBe('ann-lee')
    expect(ids.idOf('ann lee', undefined)).toBe(`ann-lee-${hash('ann lee')}`)
    expect(ids.idOf('Ann Lee', undefined)).toBe('ann-lee')
  })

  it('keeps an id the record brings, and gives it to no other name', () => {
    const ids = new AgentIds(new Map())
    expect(ids.idOf('Eve', 'ann-lee')).toBe('ann-lee')
    expect(ids.idOf('Ann Lee', undefined)).toBe(`ann-lee-${hash('Ann Lee')}`)
  })

  it('stays within the length of an id', () => {
    expect(new AgentIds(new Map()).idOf('ß'.repeat(200), undefined).length).toBeLessThanOrEqual(200)
  })
})
