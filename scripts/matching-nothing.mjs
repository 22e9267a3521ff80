import { readdir } from 'node:fs/promises'

const root = new URL('../', import.meta.url)
/** What is in each folder that was asked for. */
const found = new Map()

/**
 * Patterns of files (`*`, `**`, `{a,b}`) that name nothing in the repository: of each alternative something has to be there.
 * @param patterns paths from the root on
 */
export async function matchingNothing(patterns) {
  const missing = []
  for (const path of patterns.flatMap(alternatives)) {
    const [top] = path.split('/')
    const paths = found.get(top) ?? (await below(top))
    found.set(top, paths)
    const matches = matcherOf(path)
    if (!paths.some(one => matches.test(one))) missing.push(path)
  }
  return missing
}

/** What braces stand for. */
function alternatives(pattern) {
  const [all, before, options, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? []
  if (all === undefined) return [pattern]
  return options.split(',').flatMap(option => alternatives(before + option + after))
}

function matcherOf(path) {
  const parts = path.replace(/\/$/, '').split(/(\*\*?)/)
  const source = { '*': '[^/]*', '**': '.*' }
  return new RegExp(
    `^${parts.map(part => source[part] ?? part.replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)).join('')}$`,
  )
}

/** All files and folders of a folder, and itself; of one that is not there none. */
async function below(top) {
  const names = await readdir(new URL(top, root), { recursive: true }).catch(() => undefined)
  return names === undefined ? [] : [top, ...names.map(name => `${top}/${name.replaceAll('\\', '/')}`)]
}
