import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newKey } from '../../../src/access/key-fields.js'
import { demoKey } from '../../../src/cli/demo/demo-key.js'
import { DEMO_PROJECT } from '../../../src/cli/demo/demo-project.js'
import type { Installation } from '../../../src/service/open-installation.js'
import { makeAccess } from '../../support/access.js'
import { tempDir } from '../../support/temp-dir.js'

const ada = { name: 'ada', role: 'Admin' } as const

/** A demo that was started once: its keys, and how it is started again. */
async function startedOnce() {
  const { keys, projects } = await makeAccess()
  await projects.create({ project_id: DEMO_PROJECT, timezone: 'UTC', verticals: [] })
  const dataDir = tempDir()
  const start = (wantsNewKey = false) => demoKey({ keys } as Installation, dataDir, { wantsNewKey })
  const first = await start()
  const firstId = keys.resolve(first.key)?.key_id ?? ''
  return { keys, start, first, firstId, file: join(dataDir, 'demo.key') }
}

test('the key of the first start is kept', async () => {
  const { start, first } = await startedOnce()
  expect(first.is).toBe('new')
  expect(await start()).toEqual({ key: first.key, is: 'kept' })
})

test.each<[string, (demo: Awaited<ReturnType<typeof startedOnce>>) => unknown]>([
  ['revoked', ({ keys, firstId }) => keys.revoke(DEMO_PROJECT, firstId)],
  ['rotated', ({ keys, firstId }) => keys.rotate(DEMO_PROJECT, firstId, 60, ada)],
  ['damaged', ({ file }) => writeFileSync(file, 'esk_nothing')],
])('a key that was %s is replaced, and accepted no more', async (_, spoil) => {
  const demo = await startedOnce()
  await spoil(demo)
  const second = await demo.start()
  expect(second.is).toBe('replaced')
  expect(readFileSync(demo.file, 'utf8')).toBe(`${second.key}\n`)
  expect(demo.keys.resolve(second.key)).toBeDefined()
  expect(demo.keys.resolve(demo.first.key)).toBeUndefined()
})

test('a new one that is asked for ends those the demo made, and no others', async () => {
  const { keys, start, first } = await startedOnce()
  const { key: other } = await keys.mint(DEMO_PROJECT, newKey.parse({ name: 'Ana' }), ada)
  expect(await start(true)).toMatchObject({ is: 'new' })
  expect(keys.resolve(first.key)).toBeUndefined()
  expect(keys.resolve(other)).toBeDefined()
})
