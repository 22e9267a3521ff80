// Bundles the program that bin/earshot.cjs starts into dist/program/: src/main.ts with most of its packages, in few files. Half the
// time of a start went into finding and loading 1,900 small ones (docs/benchmarks.md, "Start"). What others import
// (`earshot/pipeline`, tests, scripts) is what `tsc` makes of the sources, beside it in dist/.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/**
 * Packages that stay where npm puts them. Everything else is only code, which may stand anywhere.
 *
 * - @duckdb/node-bindings and what is beneath it: the engine, a native addon.
 * - piscina, pino: start threads with files of their own.
 * - @ai-sdk: one of them asks for a package by the place of its own file. Loaded only when a model is configured.
 * - unpdf, @faker-js/faker: large, and loaded only for a PDF and for made-up calls.
 * - fastify with its plugins, pino-pretty: share pino, and a start with them in the bundle is no shorter.
 */
const apart = [
  '@duckdb/node-bindings',
  'piscina',
  'pino',
  '@ai-sdk',
  'unpdf',
  '@faker-js/faker',
  'fastify',
  '@fastify',
  'pino-pretty',
]

const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  cwd: root,
  input: byName(['src/main.ts', ...startedFiles()]),
  platform: 'node',
  tsconfig: 'tsconfig.build.json',
  external: new RegExp(`^(${apart.join('|')})(/|$)`),
  // Imports name the file that there is after compiling.
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: {
    // One flat folder, so that a thread's file stands beside whatever starts it (src/base/entry-file.ts).
    dir: 'dist/program',
    cleanDir: true,
    // Stack traces name the sources: bin/earshot.cjs turns the maps on. They need no copy of the sources for that.
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Of two functions of one name in a file one is called something else. Stack traces, and threads that are told by name what
    // to run, go on knowing it by its own.
    keepNames: true,
  },
  // What is not found, or is not what it is taken for, would show only when it is used.
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
})

/** The files of threads and processes, by the calls of `entryFile`: nobody who adds one can forget it here. */
function startedFiles() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return sources
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => {
      const calls = readFileSync(join(root, 'src', path), 'utf8').matchAll(
        /\bentryFile\(import\.meta\.url, '(.*)\.js'\)/g,
      )
      return [...calls].map(([, entry]) => join('src', dirname(path), `${entry}.ts`))
    })
}

/** Entries by the names they have in the bundle. */
function byName(paths) {
  const named = new Map(paths.map(path => [basename(path, '.ts'), path]))
  if (named.size < paths.length) throw new Error('two files that are started have the same name')
  return Object.fromEntries(named)
}
