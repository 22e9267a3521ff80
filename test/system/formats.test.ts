import { expect, test } from 'vitest'
import { z } from 'zod'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const report = z.object({ received: z.int(), stored: z.int(), rejected: z.int(), skipped_files: z.int() })
const listed = z.object({
  calls: z.array(z.object({ agent_name: z.string() })),
  total: z.int(),
})

const explanation = z.object({
  files: z.int(),
  unknown_files: z.int(),
  formats: z.array(z.object({ rejected: z.int() })),
})

test('is explained without a project, and without a place to keep anything', async () => {
  const command = ['import', '--explain', 'examples/formats', '--map', 'agent_name?="Ann Lee"']
  const { stdout, code } = await runEarshot([...command, '--json'])
  expect(code).toBe(0)
  const { files, unknown_files: unknown, formats } = explanation.parse(JSON.parse(stdout))
  expect({ files, unknown, rejected: formats.filter(({ rejected }) => rejected > 0) }).toEqual({
    files: 39,
    unknown: 0,
    rejected: [],
  })
  const read = await runEarshot(command)
  expect(read.stdout).toMatch(/1 file looks like genesys: Genesys Cloud .*\n {2}1 of 1 calls would be taken/)
  expect(await runEarshot(['import', 'examples/formats'])).toMatchObject({ code: 2 })
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
