import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answers, clearSocket, controlSocketPath, pathFault } from '../../src/control/control-socket.js'
import { tempDir } from '../support/temp-dir.js'

test('a socket left by a process that was killed is cleared away', async () => {
  const path = controlSocketPath(tempDir())
  const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', listen, path])
  expect(existsSync(path)).toBe(true)
  expect(await answers(path)).toBe(false)
  await clearSocket(path)
  expect(existsSync(path)).toBe(false)
})

test('a socket that answers is left alone, and so is a file of another kind', async () => {
  const path = controlSocketPath(tempDir())
  const server = createServer().listen(path)
  await expect.poll(() => answers(path)).toBe(true)
  await expect(clearSocket(path)).rejects.toThrow('Another process answers at the control socket')
  await new Promise(resolve => server.close(resolve))

  writeFileSync(path, 'mine')
  await expect(clearSocket(path)).rejects.toThrow('where the control socket belongs. Move it away.')
  expect(existsSync(path)).toBe(true)
})

test('a path too long for a socket is told in a sentence', () => {
  const short = tempDir()
  expect(pathFault(controlSocketPath(short))).toBeUndefined()
  const long = join(short, 'x'.repeat(100))
  mkdirSync(long)
  expect(pathFault(controlSocketPath(long))).toMatch(/has \d+ bytes and the system takes \d+: .*shorter path/)
})
