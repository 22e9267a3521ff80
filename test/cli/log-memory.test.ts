import { expect, test } from 'vitest'
import { logMemory } from '../../src/cli/log-memory.js'
import { memoryDefaults } from '../../src/config/memory.js'

const MiB = 1024 ** 2

test.each([
  ['what is usual fits', 4096, 4096, []],
  ['less is used where there is less', 1024, 1024, ['info The process may have 1GiB: the engine is given 460MiB']],
  ['more is asked for than there is', 4096, 1024, ['warn The process may have 1GiB and needs 1536MiB']],
  ['there is too little for anything', 256, 256, ['warn The process may have 256MiB and needs 448MiB']],
])('%s', (_what, settingsOf, there, said) => {
  const lines: string[] = []
  const log = { info: (line: string) => lines.push(`info ${line}`), warn: (line: string) => lines.push(`warn ${line}`) }
  logMemory(memoryDefaults(settingsOf * MiB), log as never, there * MiB)
  expect(lines).toEqual(said.map(line => expect.stringContaining(line)))
})
