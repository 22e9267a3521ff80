import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A folder that the build makes below dist/, wherever this runs from: the sources, what `tsc` makes of them, or the bundle.
 * @param entry a file that is in it
 * @throws Error when it was not built
 */
export function builtFolder(name: string, entry: string): string {
  let home = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', home)) && home.pathname !== '/') home = new URL('..', home)
  const folder = new URL(`dist/${name}/`, home)
  if (!existsSync(new URL(entry, folder)))
    throw new Error(`${folder.pathname} is missing, which the build makes: npm run build`)
  return fileURLToPath(folder)
}
