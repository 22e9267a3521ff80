import { execFileSync } from 'node:child_process'
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../src/base/make-directory.js'
import { runEarshot } from '../support/run-earshot.js'
import { smallDisk } from '../support/small-disk.js'
import { tempDir } from '../support/temp-dir.js'

test('a directory is made with those above it, for its owner alone, and the first of them is named', async () => {
  const scratch = tempDir()
  expect(await makeDirectory(join(scratch, 'a', 'b'))).toBe(join(scratch, 'a'))
  expect(statSync(join(scratch, 'a', 'b')).mode & 0o777).toBe(0o700)
  expect(await makeDirectory(join(scratch, 'a', 'b'))).toBeUndefined()
  expect(await makeDirectory(join(scratch, 'a', 'b', 'c'))).toBe(join(scratch, 'a', 'b', 'c'))
})

test('where none can be made it is said so', async () => {
  const scratch = tempDir()
  writeFileSync(join(scratch, 'file'), '')
  symlinkSync(join(scratch, 'nowhere'), join(scratch, 'link'))
  await expect(makeDirectory(join(scratch, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeDirectory(join(scratch, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(makeDirectory(join(scratch, 'link'))).rejects.toMatchObject({ code: 'ENOENT' })
})

// A directory that is there and says of what would be in it that it is not: Node's own way goes round for ever.
test.runIf(existsSync('/proc/self'))('where the system says that nothing is there it is said so too', async () => {
  await expect(makeDirectory('/proc/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
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
