import { expect, test } from 'vitest'
import { KeptMark } from '../../../src/cli/import/kept-mark.js'
import { tempDir } from '../../support/temp-dir.js'

const mark = { files: 1, before: 'x', parts: 0, file: '', stored: 5, rejected: 0, last: 'a-5' }

test('where an import was is read again, by the same files read the same way', () => {
  const config = { dataDir: tempDir(), storeUrl: 'duckdb:' }
  const kept = new KeptMark(config, { files: ['a'], project: 'p' })
  kept.keep(mark)
  expect(kept.flush()).toBe(true)
  expect(new KeptMark(config, { files: ['a'], project: 'p' }).read()?.mark).toEqual(mark)
  expect(new KeptMark(config, { files: ['a'], project: 'q' }).read()).toBeUndefined()
})

test('an import into another store begins at the beginning, however alike the two are; by what name it is opened makes no difference', () => {
  const dataDir = tempDir()
  const into = (storeUrl: string) => new KeptMark({ dataDir, storeUrl }, { files: ['a'], project: 'p' })
  const kept = into('mongodb://ada:secret@a.example,b.example/earshot?replicaSet=one')
  kept.keep(mark)
  kept.flush()
  expect(into('mongodb://ben:other@a.example,b.example/earshot?tls=true').read()?.mark).toEqual(mark)
  for (const other of ['duckdb:', 'mongodb://a.example,b.example/copy', 'mongodb://ada:secret@c.example/earshot'])
    expect(into(other).read()).toBeUndefined()
})

test('an import that is done leaves nothing to go on with, whatever fails after it', () => {
  const kept = new KeptMark({ dataDir: tempDir(), storeUrl: 'duckdb:' }, { files: ['a'] })
  kept.keep(mark)
  kept.remove()
  expect([kept.flush(), kept.read()]).toEqual([false, undefined])
})
