import { expect, it } from 'vitest'
import { Projects } from '../../../src/access/projects.js'
import { newProject } from '../../../src/access/project-fields.js'
import { DEMO_PROJECT } from '../../../src/cli/demo/demo-project.js'
import { fillDemo } from '../../../src/cli/demo/fill-demo.js'
import { readingIn } from '../../../src/evaluation/rubric/read-rubric.js'
import { Rubrics } from '../../../src/evaluation/rubrics.js'
import { openStore } from '../../store/duckdb/support.js'
import { slowRules } from '../../support/slow-rules.js'
import { tempDir } from '../../support/temp-dir.js'
import { threadsHere } from '../../support/threads-here.js'

it('fills the demo on a machine that is too busy to evaluate calls as they come in', async () => {
  const store = await openStore()
  const projects = await Projects.load(store.projects)
  await projects.create(newProject.parse({ project_id: DEMO_PROJECT, name: 'Demo' }))
  const rubrics = await Rubrics.load({ store: store.rubrics, read: readingIn(threadsHere) })
  const marker = { state: 'filling', calls: 30, seed: 1, end: '2026-03-01T00:00:00.000Z' } as const
  slowRules(9_000)
  await fillDemo({ store, projects, rubrics }, tempDir(), marker, new Promise(() => undefined))
  const found = await store.query(
    {
      sql: 'select count(*)::int, count(evaluation)::int from calls',
      params: [],
      decode: row => row as never,
    },
    { lane: 'light', deadlineMs: 60_000, maxRows: 10 },
  )
  expect(found.documents).toEqual([[30, 30]])
})
