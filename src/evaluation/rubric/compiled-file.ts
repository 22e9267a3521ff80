import { existsSync, readFileSync } from 'node:fs'

/**
 * What the build made of a file of rubrics/ (scripts/compile-rubrics.mjs): read and checked as JSON it takes a hundredth of
 * the time. It is in dist/rubrics/, wherever this runs from: the sources, what `tsc` makes of them, or the bundle.
 */
export function compiledFile(name: string): unknown {
  let folder = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('..', folder)
  const file = new URL(`dist/rubrics/${name}.json`, folder)
  if (!existsSync(file))
    throw new Error(`${file.pathname} is missing, which the build makes of rubrics/: npm run build`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
