import { readdir, readFile } from 'node:fs/promises'
import { matchingNothing } from '../matching-nothing.mjs'

const root = new URL('../../', import.meta.url)

/** Folders of the repository whose files pages name; other paths are of a data directory, or of whoever reads. */
const FOLDERS = 'src|test|docs|scripts|bench|console|packaging|examples|rubrics'
const NAMED = new RegExp(String.raw`\`((?:${FOLDERS})/[\w.@{},*/-]*)\``, 'g')
const TESTS_NAMED = /\b(test\/[\w./-]+\.test\.ts)\b/g

/** What pages, and the comments of the sources, name of the repository that is not there: each with where it is named. */
export async function pathsNotThere() {
  const pages = (await readdir(new URL('docs', root))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
  const sources = (await readdir(new URL('src', root), { recursive: true })).filter(name => name.endsWith('.ts'))
  const named = [
    ...[...pages, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map(where => ({ where, names: NAMED })),
    ...sources.map(name => ({ where: `src/${name}`, names: TESTS_NAMED })),
  ]
  const missing = []
  for (const { where, names } of named) {
    const text = await readFile(new URL(where, root), 'utf8')
    const paths = [...text.matchAll(names)].map(([, path]) => path)
    missing.push(...(await matchingNothing(paths)).map(path => `${path} (named in ${where})`))
  }
  return missing
}
