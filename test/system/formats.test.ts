import { expect, test } from 'vitest'
import { z } from 'zod'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const report = z.object({ received: z.int(), stored: z.int(), rejected: z.int(), skipped_files: z.int() })
const listed = z.object({
  calls: z.array(z.object({ agent_name: z.string() })),
  total: z.int(),
})

test('a folder with a sample of every format comes in by one command', async () => {
  const where = ['--project', 'demo', '--data-dir', tempDir(), '--json']
  expect(await runEarshot(['project', 'create', 'demo', ...where.slice(2)])).toMatchObject({ code: 0 })
  const { stdout, code } = await runEarshot(['import', 'examples/formats', '--map', 'agent_name?="Ann Lee"', ...where])
  expect(code).toBe(0)
  const { stored } = report.parse(JSON.parse(stdout))
  expect(report.parse(JSON.parse(stdout))).toEqual({ received: stored, stored, rejected: 0, skipped_files: 0 })
  expect(stored).toBeGreaterThanOrEqual(39)
  const { calls, total } = listed.parse(JSON.parse((await runEarshot(['calls', '--limit', '50', ...where])).stdout))
  expect(total).toBe(stored)
  expect(new Set(calls.map(call => call.agent_name))).toEqual(
    new Set(['Ann Lee', 'ann.lee', 'acme-bot', 'Acme Assistant', 'Acme Voice', 'Acme Chat']),
  )
})
