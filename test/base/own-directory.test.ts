import { chownSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { refuseForeignDirectory } from '../../src/base/own-directory.js'
import { tempDir } from '../support/temp-dir.js'

const isRoot = process.getuid?.() === 0
const running = (uid: number) => vi.spyOn(process as Required<typeof process>, 'getuid').mockReturnValue(uid)
afterEach(() => vi.restoreAllMocks())

test.runIf(isRoot)('root is refused what belongs to another user', () => {
  const directory = tempDir()
  refuseForeignDirectory(directory)
  chownSync(directory, 12_345, 12_345)
  expect(() => refuseForeignDirectory(directory)).toThrow(/belongs to user 12345, and this process runs as root/)
})

test('of other users the system’s rights decide: a volume of a cluster is root’s, and its group writes', () => {
  const directory = tempDir()
  running((process.getuid?.() ?? 0) + 1_000)
  expect(() => refuseForeignDirectory(directory)).not.toThrow()
})
