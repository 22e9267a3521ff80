import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderName } from '../../src/tasks/folders/folder-name.js'
import { GuardedFolder } from '../../src/base/guarded-folder.js'
import { refusal } from '../support/access.js'
import { tempDir } from '../support/temp-dir.js'

let importDir: string
let inside: string
let outside: string

beforeEach(() => {
  const dir = tempDir()
  importDir = join(dir, 'import')
  inside = join(importDir, 'p')
  outside = join(dir, 'secret')
  for (const path of [importDir, inside, outside, join(inside, 'drop')]) mkdirSync(path)
  writeFileSync(join(outside, 'a.ndjson'), 'secret')
  writeFileSync(join(inside, 'drop', 'a.ndjson'), 'mine')
})

const root = () => ({ directory: importDir, variable: 'EARSHOT_IMPORT_DIR', projectId: 'p' }) as const
const open = (name: string, options = {}) => GuardedFolder.open(root(), name, options)

async function textOf(folder: GuardedFolder, path: string): Promise<string> {
  const file = await folder.openFile(path)
  try {
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

describe('a name', () => {
  it('is of a folder below, whatever characters it has', () => {
    for (const name of ['drop', 'a/b', 'Größe 2', 'a..b']) expect(folderName.safeParse(name).success).toBe(true)
  })

  it('never leads out', () => {
    const ways = [
      '..',
      '../x',
      'a/../..',
      'a/..',
      '/etc',
      '//x',
      'a//b',
      '.',
      './a',
      '.git',
      'a\\..\\b',
      'C:/x',
      'a\0',
      '',
    ]
    for (const name of ways) expect([name, folderName.safeParse(name).success]).toEqual([name, false])
  })
})

describe('a folder', () => {
  it('must be there, and be one', async () => {
    expect(await refusal(() => open('nowhere'))).toBe(
      'invalid_input: There is no folder "p/nowhere" below EARSHOT_IMPORT_DIR',
    )
    expect(await refusal(() => open('drop/a.ndjson'))).toMatch(/^invalid_input: There is no folder/)
    expect(await refusal(() => GuardedFolder.open({ ...root(), directory: undefined }, 'drop'))).toMatch(/not set/)
    expect(await refusal(() => GuardedFolder.open({ ...root(), directory: '/nowhere' }, 'drop'))).toMatch(/not there/)
  })

  it('may be reached by a link that stays inside, and by none that leads out', async () => {
    symlinkSync(join(inside, 'drop'), join(inside, 'by-link'))
    expect((await open('by-link')).name).toBe('p/drop')
    symlinkSync(outside, join(inside, 'out'))
    expect(await refusal(() => open('out'))).toBe(
      `invalid_input: Folder "p/out" leads out of the project's own folder below EARSHOT_IMPORT_DIR by a link`,
    )
    // A directory whose name only begins like the one inside.
    mkdirSync(`${inside}-other`)
    symlinkSync(`${inside}-other`, join(inside, 'beside'))
    expect(await refusal(() => open('beside'))).toMatch(/leads out/)
  })

  it('is not made through a link that leads out', async () => {
    symlinkSync(outside, join(inside, 'out'))
    expect(await refusal(() => open('out/new', { make: true }))).toMatch(/leads out/)
    expect(readdirSync(outside)).toEqual(['a.ndjson'])
    expect((await open('new/deep', { make: true })).name).toBe('p/new/deep')
  })

  it('is one of the project, whatever its name, and may be named with the project’s id', async () => {
    mkdirSync(join(importDir, 'q', 'drop'), { recursive: true })
    mkdirSync(join(importDir, 'calls'))
    for (const name of ['q', 'q/drop', 'calls']) {
      expect(await refusal(() => open(name))).toBe(
        `invalid_input: There is no folder "p/${name}" below EARSHOT_IMPORT_DIR`,
      )
    }
    expect((await open('p')).path).toBe(inside)
    expect((await open('p/drop')).path).toBe(join(inside, 'drop'))
    expect((await open('q/drop', { make: true })).path).toBe(join(inside, 'q', 'drop'))
    for (const [n, way] of ['../q/drop', '..', join(importDir, 'q')].entries()) {
      symlinkSync(way, join(inside, `way-${n}`))
      expect(await refusal(() => open(`way-${n}`))).toMatch(/leads out of the project's own folder/)
      expect(await refusal(() => open(`way-${n}/new`, { make: true }))).toMatch(/leads out of the project's own folder/)
    }
    expect(readdirSync(join(importDir, 'q'))).toEqual(['drop'])
  })

  it('is none where a link stands in for the project’s own', async () => {
    mkdirSync(join(importDir, 'q', 'drop'), { recursive: true })
    rmSync(inside, { recursive: true })
    symlinkSync('q', inside)
    expect(await refusal(() => open('drop'))).toMatch(/leads out of the project's own folder/)
    expect(await refusal(() => open('drop', { make: true }))).toMatch(/leads out of the project's own folder/)
  })

  it('that can’t be made is told with the reason', async () => {
    expect(await refusal(() => open('drop/a.ndjson/deep', { make: true }))).toBe(
      'not_configured: Folder "p/drop/a.ndjson/deep" can\'t be made below EARSHOT_IMPORT_DIR (ENOTDIR)',
    )
  })
})

describe('a file', () => {
  it('is read when it lies inside', async () => {
    const folder = await open('drop')
    expect(await textOf(folder, join(folder.path, 'a.ndjson'))).toBe('mine')
  })

  it('is not read through a link, nor when its folder was replaced by one after the look', async () => {
    const folder = await open('drop')
    symlinkSync(join(outside, 'a.ndjson'), join(folder.path, 'link.ndjson'))
    expect(await refusal(() => folder.openFile(join(folder.path, 'link.ndjson')))).toMatch(/^ELOOP/)
    renameSync(folder.path, join(inside, 'moved'))
    symlinkSync(outside, folder.path)
    expect(await refusal(() => folder.openFile(join(folder.path, 'a.ndjson')))).toMatch(/^EACCES/)
  })

  it('is not read in a neighbouring folder either', async () => {
    const folder = await open('drop')
    mkdirSync(join(inside, 'theirs'))
    writeFileSync(join(inside, 'theirs', 'a.ndjson'), 'theirs')
    symlinkSync(join(inside, 'theirs'), join(folder.path, 'sub'))
    expect(await refusal(() => folder.openFile(join(folder.path, 'sub', 'a.ndjson')))).toMatch(/^EACCES/)
  })

  it('is written beside others that are written at the same instant', async () => {
    const folder = await open('drop')
    const names = Array.from({ length: 20 }, (_, n) => `report-${n}.md`)
    await Promise.all(names.map(name => folder.write(name, name)))
    expect(readdirSync(join(inside, 'drop')).toSorted()).toEqual(['a.ndjson', ...names].toSorted())
  })

  it('is not written where the folder was replaced by a link', async () => {
    const folder = await open('drop')
    await folder.write('report.md', 'text')
    expect(readFileSync(join(folder.path, 'report.md'), 'utf8')).toBe('text')
    renameSync(folder.path, join(inside, 'moved'))
    symlinkSync(outside, folder.path)
    expect(await refusal(() => folder.write('report.md', 'text'))).toMatch(/^EACCES/)
    expect(await refusal(() => folder.move(join(folder.path, 'a.ndjson'), 'done/a.ndjson'))).toMatch(/^EACCES/)
    expect(readdirSync(outside)).not.toContain('report.md')
  })

  it('is moved beside one of its name, never over it', async () => {
    const folder = await open('drop')
    for (const text of ['1', '2', '3']) {
      writeFileSync(join(folder.path, 'b.ndjson.gz'), text)
      await folder.move(join(folder.path, 'b.ndjson.gz'), 'done/b.ndjson.gz')
    }
    expect(readdirSync(join(folder.path, 'done')).sort()).toEqual(['b-2.ndjson.gz', 'b-3.ndjson.gz', 'b.ndjson.gz'])
  })
})
