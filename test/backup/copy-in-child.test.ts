import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the copying process ends without a word when whoever began it is gone', async () => {
  const child = fork(fileURLToPath(new URL('../../dist/program/copy-in-child.js', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.disconnect()
  const [said] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect(said).toBe('')
})
