import { expect, test } from 'vitest'
import { KeptMark } from '../../../src/cli/import/kept-mark.js'
import { tempDir } from '../../support/temp-dir.js'

const mark = { files: 1, before: 'x', parts: 0, file: '', stored: 5, rejected: 0 }

test('where an import was is read again, by the same files read the same way', () => {
  const dataDir = tempDir()
  const kept = new KeptMark(dataDir, { files: ['a'], project: 'p' })
  kept.keep(mark)
  expect(kept.flush()).toBe(true)
  expect(new KeptMark(dataDir, { files: ['a'], project: 'p' }).read()?.mark).toEqual(mark)
  expect(new KeptMark(dataDir, { files: ['a'], project: 'q' }).read()).toBeUndefined()
})

test('an import that is done leaves nothing to go on with, whatever fails after it', () => {
  const kept = new KeptMark(tempDir(), { files: ['a'] })
  kept.keep(mark)
  kept.remove()
  expect([kept.flush(), kept.read()]).toEqual([false, undefined])
})
