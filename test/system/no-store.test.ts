import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

// Without --data-dir a nightly backup copied a store it had just made, and said that all was well.
test('a command in a directory without a store refuses it, and makes nothing', async () => {
  const scratch = tempDir()
  const [absent, empty, backup] = ['absent', 'empty', 'backup'].map(name => join(scratch, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(empty)
  const refused = { code: 1, stdout: '', stderr: expect.stringContaining('There is no store in ') }
  for (const dataDir of [absent, empty]) {
    for (const command of [['backup', backup], ['project', 'list'], ['keys', 'list', '--project', 'p'], ['compact']]) {
      expect(await runEarshot([...command, '--data-dir', dataDir])).toMatchObject(refused)
    }
  }
  expect(await runEarshot(['admin-token', '--data-dir', absent])).toMatchObject(refused)
  expect([existsSync(absent), readdirSync(empty), existsSync(backup)]).toEqual([false, [], false])

  expect(await runEarshot(['project', 'create', 'p', '--data-dir', absent])).toMatchObject({ code: 0 })
  expect(await runEarshot(['project', 'list', '--data-dir', absent])).toMatchObject({ code: 0 })
})
