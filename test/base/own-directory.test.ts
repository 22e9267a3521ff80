import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { ownDirectory, refuseForeignDirectory } from '../../src/base/own-directory.js'
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

/** What Kubernetes makes of an emptyDir for a process that has a group alone: its group writes, and root owns it. */
const GROUP_WRITES = 0o2777
const USER = 65_534

test.runIf(isRoot)(
  'what may be written but not closed to others is refused by its owner, and a directory in it is made',
  async () => {
    const volume = tempDir()
    chmodSync(volume, GROUP_WRITES)
    running(USER)
    process.seteuid?.(USER)
    onTestFinished(() => process.seteuid?.(0))
    await expect(ownDirectory(volume)).rejects.toThrow(
      `The data directory ${volume} belongs to user 0, and user ${USER} can't close it to others: give it to that one, or name a directory in it, such as ${join(volume, 'store')}`,
    )
    const store = await ownDirectory(join(volume, 'store'))
    expect(statSync(store)).toMatchObject({ uid: USER })
    expect(statSync(store).mode & 0o777).toBe(0o700)
  },
)
