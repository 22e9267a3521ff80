import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder } from './built-folder.js'

/**
 * The file that a thread or process of its own begins with: one of the bundled program, where all files stand together
 * (scripts/build-program.mjs finds the calls of this function and makes an entry of each). What runs from source or as `tsc` compiled it,
 * as tests and benchmarks do, begins with the bundled one too.
 *
 * @param starter `import.meta.url` of the module that starts it
 * @param name its name beside that module, such as './evaluate-rest.js'
 */
export function entryFile(starter: string, name: string): string {
  if (starter.includes('/dist/program/')) return fileURLToPath(new URL(name, starter))
  return join(builtFolder('program', name), name)
}
