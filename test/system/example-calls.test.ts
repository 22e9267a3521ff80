import { expect, test } from 'vitest'
import { z } from 'zod'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

const listed = z.object({ calls: z.array(z.object({ agent_name: z.string(), score: z.number() })), total: z.int() })

test('the sample folder is imported by the commands of the README, and its calls end differently', async () => {
  const where = ['--project', 'support', '--data-dir', tempDir(), '--json']
  const maps = ['--map', 'agent_name=@folder', '--map', 'created_dt=@file_time']
  expect(await runEarshot(['project', 'create', 'support', ...where.slice(2)])).toMatchObject({ code: 0 })
  const imported = await runEarshot(['import', 'examples/calls', ...maps, ...where])
  expect(JSON.parse(imported.stdout)).toMatchObject({ received: 20, stored: 20, rejected: 0 })
  const calls = await runEarshot(['calls', '--sort', 'score_asc', '--limit', '50', ...where])
  const { calls: found, total } = listed.parse(JSON.parse(calls.stdout))
  expect(total).toBe(20)
  const names = new Set(found.map(call => call.agent_name))
  expect(names).toEqual(new Set(['Maya', 'Leo', 'Amina', 'Jonas']))
  expect(found[0]!.score).toBeLessThan(3)
  expect(found.at(-1)!.score).toBeGreaterThan(4)
})

test.runIf(isWhole)('and so are those in other languages, which are scored and coached in theirs', async () => {
  const where = ['--project', 'support', '--data-dir', tempDir(), '--json']
  const maps = ['--map', 'agent_name=@folder', '--map', 'created_dt=@file_time']
  expect(await runEarshot(['project', 'create', 'support', ...where.slice(2)])).toMatchObject({ code: 0 })
  const imported = await runEarshot(['import', 'examples/languages', ...maps, ...where])
  expect(JSON.parse(imported.stdout)).toMatchObject({ received: 2, stored: 2, rejected: 0 })
  const calls = await runEarshot(['calls', '--sort', 'score_desc', ...where])
  const [german, spanish] = listed.parse(JSON.parse(calls.stdout)).calls
  expect(german).toMatchObject({ agent_name: 'Klara' })
  expect(german!.score).toBeGreaterThan(4)
  expect(spanish).toMatchObject({ agent_name: 'Lucía' })
  expect(spanish!.score).toBeLessThan(3.1)
  const { stdout } = await runEarshot(['call', 'Klara/2026-03-16T09-20-00Z-zweimal-abgebucht', ...where])
  expect(stdout).toContain('Das lief gut:')
})
