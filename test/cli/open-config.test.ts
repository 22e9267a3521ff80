import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

test('whoever starts with a clock that is behind the data is warned of it', async () => {
  const dataDir = tempDir()
  const call = join(tempDir(), 'call.ndjson')
  writeFileSync(call, '{}\n')
  // The one command that opens the configuration of a server and ends.
  const start = async () => (await spawnEarshot(['import', call, '--explain', '--data-dir', dataDir])).stderr
  const written = join(dataDir, 'earshot.acknowledged')
  writeFileSync(written, '')
  expect(await start()).not.toContain('The clock')
  const ahead = new Date(Date.now() + 3_600_000)
  utimesSync(written, ahead, ahead)
  expect(await start()).toContain('The clock is behind what was written here last')
})
