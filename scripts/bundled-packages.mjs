// What packages a bundle is made of: packages.json for the list of what is shipped (scripts/release.mjs), and their licences.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes packages.json and third-party-licenses.txt of a bundle into its folder. @param modules the ids of what is in it */
export function listPackages(folder, modules) {
  const packages = packagesOf(modules)
  const list = packages.map(({ path, name, version, license }) => ({ path, name, version, license }))
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(list, undefined, 2)}\n`)
  const notices = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
  writeFileSync(join(folder, 'third-party-licenses.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))
}

/** The packages that modules are of, by name, with the text of their licences. */
function packagesOf(modules) {
  const homes = modules.flatMap(id => {
    const [, home] = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id) ?? []
    return home === undefined ? [] : [home]
  })
  return [...new Set(homes)]
    .map(home => {
      const {
        name,
        version,
        license,
        licenses = [],
        homepage,
      } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
      const files = readdirSync(home).filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
      const text = files.map(file => readFileSync(join(home, file), 'utf8').trim()).join('\n\n')
      return {
        path: relative(root, home).split(sep).join('/'),
        name,
        version,
        license: license ?? licenses.map(({ type }) => type).join(' OR '),
        text: text === '' ? `The package holds no text of its licence. ${homepage ?? ''}`.trim() : text,
      }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
