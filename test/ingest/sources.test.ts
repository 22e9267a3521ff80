import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importCalls } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'
import { tempDir } from '../support/temp-dir.js'

/** Runs as somebody who may not read whatever is there, as root may. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await run()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

const call = (id: string) => JSON.stringify({ session_id: id, agent_name: 'Ann', created_dt: '2026-01-01T10:00:00Z' })

test('a folder or file that can’t be looked at is named with its reason, and costs only itself', async () => {
  const folder = tempDir()
  for (const name of ['a', 'locked folder', 'z']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'a', '1.json'), call('1'))
  writeFileSync(join(folder, 'a', 'locked.json'), call('2'))
  writeFileSync(join(folder, 'z', '3.json'), call('3'))
  symlinkSync('nowhere', join(folder, 'broken'))
  symlinkSync('.', join(folder, 'loop'))
  // Whatever earlier tests left as the mask of new files.
  for (const name of ['', 'a', 'z']) chmodSync(join(folder, name), 0o755)
  for (const name of ['a/1.json', 'z/3.json']) chmodSync(join(folder, name), 0o644)
  for (const name of ['locked folder', 'a/locked.json']) chmodSync(join(folder, name), 0)
  const store = new CallShelf()
  const report = await asNobody(() =>
    importCalls({
      inputs: [folder],
      projectId: 'p',
      store,
      redact: false,
      evaluate: undefined,
      workers: 0,
    }),
  )
  expect(store.ids.toSorted()).toEqual(['1', '3'])
  expect(report.errors.map(({ file, message }) => [file.slice(folder.length + 1), message])).toEqual([
    ['a/locked.json', "can't be read (EACCES)"],
    ['locked folder', "can't be read (EACCES)"],
  ])
})

test('files come in by their names, however many there are', async () => {
  const folder = tempDir()
  mkdirSync(join(folder, 'call-100'))
  writeFileSync(join(folder, 'call-100', 'a.json'), call('inner'))
  const names = Array.from({ length: 600 }, (_, i) => `call-${i}.json`)
  for (const name of names) writeFileSync(join(folder, name), call(name))
  writeFileSync(join(folder, 'empty.json'), '')
  const store = new CallShelf()
  await importCalls({ inputs: [folder], projectId: 'p', store, redact: false, evaluate: undefined, workers: 0 })
  expect(store.ids).toEqual(['inner', ...names].toSorted((a, b) => (place(a) < place(b) ? -1 : 1)))
})

/** Where a call stands among the others: `call-100` the folder comes ahead of `call-100.json`. */
const place = (id: string) => (id === 'inner' ? 'call-100' : id)
