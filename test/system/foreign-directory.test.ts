import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const isRoot = process.getuid?.() === 0

// The service runs as a user of its own, its operator is root: what root made there kept the service from starting again.
test.runIf(isRoot)('root makes nothing in a data directory of another user', async () => {
  const scratch = tempDir()
  const [filled, empty, backup] = ['filled', 'empty', 'backup'].map(name => join(scratch, name)) as [
    string,
    ...string[],
  ]
  const create = ['project', 'create', 'shop', '--data-dir', filled]
  expect(await runEarshot(create)).toMatchObject({ code: 0 })
  expect(await runEarshot(['backup', backup!, '--data-dir', filled])).toMatchObject({ code: 0 })
  mkdirSync(empty!)
  for (const directory of [filled, empty!]) chownSync(directory, 12_345, 12_345)

  const before = readdirSync(filled)
  const refusal = /belongs to user 12345, and this process runs as root: run it as the owner \(sudo -u '#12345'\)/
  for (const args of [
    ['project', 'list', '--data-dir', filled],
    ['compact', '--data-dir', filled],
    ['admin-token', '--data-dir', filled],
    ['serve', '--port', '0', '--data-dir', filled],
    ['admin-token', '--data-dir', empty!],
    ['restore', backup!, '--data-dir', empty!],
  ]) {
    expect(await runEarshot(args, { env: { EARSHOT_LOG_FORMAT: 'pretty' } })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(refusal),
    })
  }
  expect(readdirSync(filled)).toEqual(before)
  expect(readdirSync(empty!)).toEqual([])
})
