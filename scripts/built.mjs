// Ends with 0 where nothing has changed since the last build, and with 1 where something has: `npm ci` builds, and who
// tries the demo next need not wait for it again. With --mark it notes that it was built.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const mark = join(root, 'dist', '.built')

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
/** With the folders in them: what was taken away or renamed shows by its folder alone. */
const FOLDERS = ['bin', 'console', 'rubrics', 'scripts', 'src']

if (process.argv.includes('--mark')) writeFileSync(mark, '')
else process.exitCode = isCurrent() ? 0 : 1

function isCurrent() {
  const built = statSync(mark, { throwIfNoEntry: false })
  if (built === undefined) return false
  const within = FOLDERS.flatMap(folder => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map(name => join(folder, name)),
  ])
  return [...FILES, ...within].every(name => statSync(join(root, name)).mtimeMs < built.mtimeMs)
}
