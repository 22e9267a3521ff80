import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { builtFolder } from '../base/built-folder.js'

/** A file of the built console, as it is and compressed. */
export interface ConsoleFile {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** What the build makes, and no more: a file of another kind is a mistake of the build. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The built console, read whole into memory, by the path below its folder. What is served is what is in this map: no path of a
 * request ever becomes the name of a file.
 * @throws Error when it was not built
 */
export function consoleFiles(): ReadonlyMap<string, ConsoleFile> {
  const folder = builtFolder('web', 'index.html')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const read = (name: string) => (names.includes(name) ? readFileSync(join(folder, name)) : undefined)
  return new Map(
    names.flatMap(name => {
      const type = TYPES[extname(name)]
      if (type === undefined) return []
      const file = { type, plain: readFileSync(join(folder, name)), br: read(`${name}.br`), gzip: read(`${name}.gz`) }
      return [[name.split(sep).join('/'), file] as const]
    }),
  )
}
