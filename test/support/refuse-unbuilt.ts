import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Threads and processes that tests start begin with files of the bundle; without it they would wait for them in vain. */
export function setup(): void {
  const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url))
  if (!existsSync(program)) throw new Error('Tests start what is built, and nothing is: npm run build')
}
