import { describe, expect, it } from 'vitest'
import { newProject, projectPatch } from '../../src/access/project-fields.js'
import { Projects } from '../../src/access/projects.js'
import { parseInput } from '../../src/base/parse-input.js'
import { refusal } from '../support/access.js'
import { MemoryStore } from '../support/memory-store.js'

const fields = (body: object) => parseInput(newProject, { project_id: 'north', ...body }, 'field')
const clock = () => Date.parse('2026-03-01T12:00:00Z')

describe('projects', () => {
  it('are created, listed, changed and still there after a restart', async () => {
    const store = new MemoryStore()
    const projects = await Projects.load(store.projects, clock)
    const created = await projects.create(fields({ timezone: 'europe/berlin', verticals: ['retail', ' retail '] }))
    expect(created).toEqual({
      project_id: 'north',
      name: 'north',
      timezone: 'Europe/Berlin',
      verticals: ['retail'],
      created_at: '2026-03-01T12:00:00.000Z',
    })
    await projects.create(fields({ project_id: 'east', name: 'East' }))
    const patch = parseInput(projectPatch, { name: ' North ', timezone: 'Asia/Kolkata' }, 'field')
    const changed = await projects.patch('north', patch)
    expect(changed).toEqual({ ...created, name: 'North', timezone: 'Asia/Kolkata' })
    const restarted = await Projects.load(store.projects)
    expect(restarted.list().map(({ project_id: id }) => id)).toEqual(['east', 'north'])
    expect(restarted.get('north')).toEqual(changed)
  })

  it('take their id by either name, not by two different ones', () => {
    expect(parseInput(newProject, { id: 'north' }, 'field')).toMatchObject({ project_id: 'north' })
    expect(fields({ id: 'north' })).toEqual({ project_id: 'north', timezone: 'UTC', verticals: [] })
    expect(() => fields({ id: 'south' })).toThrow('Field "project_id" must be the same as "id"')
    expect(() => parseInput(newProject, {}, 'field')).toThrow('Field "project_id" is required (text)')
  })

  it('are made once each, also when two make one at once', async () => {
    const projects = await Projects.load(new MemoryStore().projects)
    const [, second] = await Promise.allSettled([projects.create(fields({})), projects.create(fields({}))])
    expect(second).toMatchObject({ reason: { code: 'conflict', message: 'Project exists already: "north"' } })
  })

  it('are not found by another name', async () => {
    const projects = await Projects.load(new MemoryStore().projects)
    expect(await refusal(() => projects.get('__proto__'))).toBe('not_found: Project not found: "__proto__"')
    expect(await refusal(() => projects.patch('a\nb', {}))).toBe(String.raw`not_found: Project not found: "a\nb"`)
  })

  it('tell how often something was taken away from them, where it failed halfway too', async () => {
    const projects = await Projects.load(new MemoryStore().projects)
    const take = (work: () => Promise<number>) => projects.takingAway('north', work, count => count > 0)
    await take(async () => 0)
    expect(projects.takenAway('north')).toBeUndefined()
    expect(await take(async () => 3)).toBe(3)
    await expect(
      take(async () => {
        throw new Error('the disk is full')
      }),
    ).rejects.toThrow('the disk is full')
    expect([projects.takenAway('north'), projects.takenAway('south')]).toEqual([2, undefined])
  })

  it.each([
    [{ project_id: '' }],
    [{ project_id: 'North' }],
    [{ project_id: '-north' }],
    [{ project_id: 'a b' }],
    [{ project_id: 'a\n' }],
    [{ project_id: 'x'.repeat(65) }],
    [{ name: '' }],
    [{ timezone: 'Mars/Olympus' }],
    [{ timezone: '+01:00' }],
    [{ timezone: '' }],
    [{ verticals: [''] }],
    [{ vertical: ['retail'] }],
    [{ created_at: 'now' }],
  ])('refuse %j', body => {
    expect(() => fields(body)).toThrow(/field/i)
  })
})
