import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Threads and processes that tests start begin with files of the bundle; without it they would wait for them in vain. And
 * tests of an older rubric than the one in the files would be of nothing.
 */
export function setup(): void {
  if (!existsSync(join(root, 'dist/program/main.js')))
    throw new Error('Tests start what is built, and nothing is: npm run build')
  const written = readdirSync(join(root, 'rubrics'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.yaml'),
  )
  for (const name of written) {
    const made = join(root, 'dist/rubrics', name.replace(/^measured\//, '').replace(/yaml$/, 'json'))
    if (!existsSync(made) || statSync(made).mtimeMs < statSync(join(root, 'rubrics', name)).mtimeMs) {
      throw new Error(`rubrics/${name} is newer than what the build made of it: npm run build`)
    }
  }
}
