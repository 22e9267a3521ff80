import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DocumentReader } from '../../../src/ingest/knowledge/document-reader.js'
import { type KnowledgeImport, importKnowledge } from '../../../src/ingest/knowledge/import-knowledge.js'
import type { KnowledgeDraft } from '../../../src/store/records/knowledge-document.js'
import { smallPdf } from '../../support/small-pdf.js'
import { tempDir } from '../../support/temp-dir.js'

/** Imports a folder with these files; gives back the report and the documents by name. */
async function imported(files: Readonly<Record<string, string | Buffer>>, more: Partial<KnowledgeImport> = {}) {
  const folder = tempDir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const kept = new Map<string, KnowledgeDraft>()
  const put = async (document: KnowledgeDraft) => {
    const replaced = kept.has(document.name)
    kept.set(document.name, document)
    return replaced
  }
  const report = await importKnowledge({ inputs: [folder], put, ...more })
  return { folder, report, kept }
}

const long = 'Some words in a line.\n\n'.repeat(1_000)
const markdown =
  'Before.\n\n# Returns\n\nWithin *30* [days](https://x.example).\n\n```\n# no heading\n```\n\n## Gifts\n- none\n'
const html = `<html><head><title>Help &amp; more</title><style>p{color:red}</style></head><body>
  <nav>Menu</nav><h1>Top <em>of</em> it</h1><p>One &lt;two&gt;</p><script>alert('secret')</script>
  <a href="javascript:alert(1)">a link</a><img src="x" alt="picture"><h2>Second</h2>
  <table><tr><td>Cell</td></tr></table></body></html>`

/** One document of each kind, imported at once for all tests that look at one of them. */
let ofEachKind: ReturnType<typeof imported> | undefined
const only = async (name: string) => {
  ofEachKind ??= imported({
    'returns.md': markdown,
    'help.html': html,
    'notes/opening hours.txt': '  9 to 5  \n',
    'terms.pdf': smallPdf('Terms of use', ['First things first', 'Last words']),
    'long.txt': long,
    'a.md': '# A\u202eB\n\ntext\u{e0041}',
  })
  const { kept, report } = await ofEachKind
  expect(report.failed).toEqual([])
  return kept.get(name)
}

describe('a document becomes text in sections', () => {
  test('Markdown, from heading to heading', async () => {
    expect(await only('returns.md')).toMatchObject({
      title: 'Returns',
      sections: [
        { text: 'Before.' },
        { title: 'Returns', text: 'Within 30 days.\n\n# no heading' },
        { title: 'Gifts', text: '* none' },
      ],
    })
  })

  test('HTML, without scripts, styles and where links lead', async () => {
    expect(await only('help.html')).toMatchObject({
      title: 'Help & more',
      sections: [
        { title: 'Top of it', text: 'One <two>\n\na link' },
        { title: 'Second', text: 'Cell' },
      ],
    })
  })

  test('plain text, in one piece with the name of its file for a title', async () => {
    expect(await only('notes/opening hours.txt')).toMatchObject({
      title: 'opening hours',
      sections: [{ text: '9 to 5' }],
    })
  })

  test('PDF, page by page', async () => {
    expect(await only('terms.pdf')).toMatchObject({
      title: 'Terms of use',
      sections: [
        { title: 'Page 1', text: 'First things first' },
        { title: 'Page 2', text: 'Last words' },
      ],
    })
  })

  test('in pieces where a section is long', async () => {
    const document = await only('long.txt')
    const lengths = document?.sections.map(section => section.text.length) ?? []
    expect(lengths.length).toBeGreaterThan(4)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4_000)
  })

  test('without characters that no reader sees', async () => {
    expect(await only('a.md')).toMatchObject({ title: 'AB', sections: [{ title: 'AB', text: 'text' }] })
  })
})

describe('a folder', () => {
  test('is looked through to the bottom; links, hidden files and other formats are passed over', async () => {
    const outside = join(tempDir(), 'outside.md')
    writeFileSync(outside, 'secret')
    const folder = tempDir()
    mkdirSync(join(folder, 'deep/er'), { recursive: true })
    mkdirSync(join(folder, '.git'))
    for (const name of ['b.md', 'deep/er/a.TXT', '.git/c.md', 'picture.png']) writeFileSync(join(folder, name), 'text')
    symlinkSync(outside, join(folder, 'link.md'))
    const { kept } = await imported({}, { inputs: [folder] })
    expect([...kept.keys()]).toEqual(['b.md', 'deep/er/a.TXT'])
  })

  test('gives its documents addresses below the base', async () => {
    const { kept } = await imported({ 'a b/ü.md': 'text' }, { urlBase: new URL('https://help.example.com/docs/') })
    expect(kept.get('a b/ü.md')?.url).toBe('https://help.example.com/docs/a%20b/%C3%BC.md')
  })

  test('of eight million characters is cut to the end', async () => {
    const { kept } = await imported({ 'long.txt': 'word '.repeat(1_600_000) })
    expect(kept.get('long.txt')?.sections.length).toBeGreaterThanOrEqual(2_000)
  })

  test('imported again replaces its documents', async () => {
    const { folder, report, kept } = await imported({ 'a.md': 'one', 'b.md': 'two' })
    expect(report).toEqual({ imported: 2, replaced: 0, sections: 2, failed: [] })
    const names: string[] = []
    const put = async ({ name }: KnowledgeDraft) => names.push(name) > 0
    expect(await importKnowledge({ inputs: [folder], put })).toMatchObject({ imported: 2, replaced: 2 })
    expect(names).toEqual([...kept.keys()])
  })
})

describe('a file that can’t be read', () => {
  test('is named with the reason, such as that it needs a password, and keeps no other out', async () => {
    const { report, kept } = await imported({
      'broken.pdf': '%PDF-1.4 and nothing else',
      'empty.md': ' \n',
      'latin1.txt': Buffer.from([0x66, 0xfc, 0x72]),
      'locked.pdf': smallPdf('Locked', ['text'], { locked: true }),
      'good.md': 'text',
    })
    expect([...kept.keys()]).toEqual(['good.md'])
    expect(report.failed).toEqual([
      { name: 'broken.pdf', reason: 'could not be read' },
      { name: 'empty.md', reason: 'holds no text' },
      { name: 'latin1.txt', reason: 'is not UTF-8 text' },
      { name: 'locked.pdf', reason: 'needs a password' },
    ])
  })

  test('is named with its size when it holds more text than a document may', async () => {
    const { report, kept } = await imported({ 'all.txt': 'word '.repeat(1_700_000), 'good.md': 'text' })
    expect([...kept.keys()]).toEqual(['good.md'])
    expect(report.failed).toEqual([
      {
        name: 'all.txt',
        reason: expect.stringMatching(/^holds 8\d{6} bytes of text, more than the 8388608 of a document/),
      },
    ])
  })

  test('is given up when it takes too long', async () => {
    const reader = new DocumentReader(1)
    const slow = { format: 'pdf', bytes: smallPdf('Slow', ['text']) } as const
    await expect(reader.read(slow)).rejects.toMatchObject({ name: 'AbortError' })
    await reader.close()
  })

  test('keeps nobody waiting meanwhile, however deep it is', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const { report } = await imported({ 'deep.html': '<div>'.repeat(60_000), 'good.md': 'text' })
    clearInterval(timer)
    expect(report).toMatchObject({ imported: 1, failed: [{ name: 'deep.html', reason: 'could not be read' }] })
    // Read in this thread it would take a second of it in one piece.
    expect(turns).toBeGreaterThan(50)
  })

  test.each([
    ['nowhere.md', 'is not there'],
    [import.meta.filename, 'is of no known format'],
  ])('by name is refused: %s', async (name, said) => {
    await expect(imported({}, { inputs: [name] })).rejects.toThrow(said)
  })
})
