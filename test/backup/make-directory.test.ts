import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../src/backup/make-directory.js'
import { runEarshot } from '../support/run-earshot.js'
import { smallDisk } from '../support/small-disk.js'
import { tempDir } from '../support/temp-dir.js'

test('a directory is made with those above it, for its owner alone, and the first of them is named', async () => {
  const scratch = tempDir()
  expect(await makeDirectory(join(scratch, 'a', 'b'))).toBe(join(scratch, 'a'))
  expect(statSync(join(scratch, 'a', 'b')).mode & 0o777).toBe(0o700)
  expect(await makeDirectory(join(scratch, 'a', 'b'))).toBeUndefined()
})

// As under systemd with ProtectSystem=strict, where everything but the data directory is read-only for the server.
test('on a read-only file system a backup is refused with what to do', async context => {
  const disk = smallDisk(1)
  if (disk === undefined) return context.skip('mounting is not allowed here')
  execFileSync('mount', ['-o', 'remount,ro', disk.dir])
  const place = ['--data-dir', join(tempDir(), 'data')]
  expect(await runEarshot(['project', 'create', 'shop', ...place])).toMatchObject({ code: 0 })
  for (const directory of [join(disk.dir, 'monday'), join(disk.dir, 'backups', 'monday')]) {
    const run = await runEarshot(['backup', directory, ...place])
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('name it in ReadWritePaths=') })
    expect(existsSync(directory)).toBe(false)
  }
})
