import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importCalls, type ImportOptions } from '../../src/ingest/import-calls.js'
import { parseMaps } from '../../src/ingest/mapping/parse-map.js'
import { CallShelf } from './call-shelf.js'
import { tempDir } from './temp-dir.js'

interface Asked extends Partial<Omit<ImportOptions, 'mapping' | 'store'>> {
  readonly store?: CallShelf
  /** As after `--map`. */
  readonly map?: readonly string[]
}

/** Writes files into a folder of their own and imports the folder, in this thread. */
export async function importingFiles(files: Readonly<Record<string, string | Uint8Array | object>>, asked: Asked = {}) {
  const folder = tempDir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const isBytes = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder, name), isBytes ? content : JSON.stringify(content, undefined, 2))
  }
  const { map = [], store = new CallShelf(), ...options } = asked
  const report = await importCalls({
    inputs: [folder],
    projectId: 'p',
    store,
    workers: 0,
    redact: false,
    evaluate: undefined,
    mapping: parseMaps(map),
    ...options,
  })
  const errors = report.errors.map(({ file, line, path, message }) =>
    [`${file.slice(folder.length + 1)}:${line}`, path, message].filter(part => part !== '').join(' '),
  )
  return { store, report, errors, folder }
}
