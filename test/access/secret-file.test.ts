import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secretFile } from '../../src/access/secret-file.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'earshot-secret-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true })
})

describe('secretFile', () => {
  it('makes a secret of 256 bits once, for its owner only', async () => {
    const path = join(directory, 'admin-jwt.secret')
    const secret = await secretFile(path)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await secretFile(path)).toBe(secret)
    expect(await readdir(directory)).toEqual(['admin-jwt.secret'])
  })

  it('gives everyone the same when many make it at once', async () => {
    const path = join(directory, 'cursor.key')
    const making: Promise<string>[] = []
    for (let maker = 0; maker < 30; maker += 1) {
      making.push(secretFile(path))
      await setImmediate()
    }
    const secrets = await Promise.all(making)
    expect(new Set(secrets).size).toBe(1)
    expect((await readFile(path, 'utf8')).trim()).toBe(secrets[0])
    expect(await readdir(directory)).toEqual(['cursor.key'])
  })

  it('takes wide rights away from a restored file', async () => {
    const path = join(directory, 'cursor.key')
    const secret = await secretFile(path)
    await chmod(path, 0o644)
    expect(await secretFile(path)).toBe(secret)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'short', 'x'.repeat(44), 'é'.repeat(43)])('refuses a damaged file (%j) and leaves it', async text => {
    const path = join(directory, 'cursor.key')
    await writeFile(path, text)
    await expect(secretFile(path)).rejects.toThrow('is damaged')
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('says when the directory is not there', async () => {
    await expect(secretFile(join(directory, 'nowhere', 'cursor.key'))).rejects.toThrow('ENOENT')
  })
})
