import { expect, it } from 'vitest'
import type { ProjectRecord } from '../../../src/store/records/project.js'
import { openStore } from './support.js'

const project: ProjectRecord = {
  project_id: 'north',
  name: 'North',
  timezone: 'Europe/Berlin',
  verticals: ['retail'],
  created_at: '2026-03-01T12:00:00.000Z',
}

it('keeps projects and replaces them', async () => {
  const store = await openStore()
  await store.projects.insert(project)
  await store.projects.update({ ...project, name: 'North East' })
  expect(await store.projects.all()).toEqual([{ ...project, name: 'North East' }])
})

it('refuses a second project of the same id and an update of an unknown one', async () => {
  const store = await openStore()
  await store.projects.insert(project)
  await expect(store.projects.insert(project)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Project "north" exists already',
  })
  await expect(store.projects.update({ ...project, project_id: 'south' })).rejects.toMatchObject({ code: 'not_found' })
})
