import { afterEach, expect, test, vi } from 'vitest'
import { print } from '../../src/cli/print.js'

afterEach(() => {
  vi.restoreAllMocks()
})

async function printed(isTTY: boolean): Promise<string> {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation(text => ((out += String(text)), true))
  const was = process.stdout.isTTY
  process.stdout.isTTY = isTTY
  try {
    await print(false, {}, () => 'drop/\u001b[2J\u202ebad.ndjson:1  is not JSON\n')
  } finally {
    process.stdout.isTTY = was
  }
  return out
}

test('a terminal is sent nothing that it would obey', async () => {
  expect(await printed(true)).toBe('drop/[2Jbad.ndjson:1  is not JSON\n')
})

test('a file or another program gets what there is', async () => {
  expect(await printed(false)).toBe('drop/\u001b[2J\u202ebad.ndjson:1  is not JSON\n')
})
