import { fileURLToPath } from 'node:url'

/**
 * The file that a thread or process of its own begins with. It stands beside the module that starts it: in `src/`, in what
 * `tsc` makes of it, and in the bundled program, where all files stand together (scripts/build-program.mjs finds the calls of this
 * function and makes an entry of each). Run from source, under a test runner, it is the bundled one.
 *
 * @param starter `import.meta.url` of the module that starts it
 * @param name its name there, such as './evaluate-rest.js'
 */
export function entryFile(starter: string, name: string): string {
  const folder = starter.endsWith('.ts') ? new URL('../../dist/program/', import.meta.url) : starter
  return fileURLToPath(new URL(name, folder))
}
