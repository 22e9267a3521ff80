// Bundles what is published, from the sources and all packages that are only code:
// - dist/program/, what bin/earshot.cjs starts: src/main.ts in few files (and src/cli/run-cli.ts apart, for tests that run commands). Half the time of a start went into finding and loading
//   1,900 small ones (docs/benchmarks.md, "Start").
// - dist/library/, what others import as `earshot/pipeline`, with its types.
// In each, third-party-licenses.txt: the licences of the packages in it, and packages.json: which these are, for the list of what
// is shipped (scripts/release.mjs). Tests and scripts import what `tsc` makes of the sources, beside it in dist/.
//
// What package.json has under `dependencies` stays apart and is installed with the package; so only that must run on every Node of
// `engines`, whatever npm chooses, and what is bundled is as package-lock.json pins it. Apart are, and why:
// - @duckdb/node-bindings and what is beneath it: the engine, a native addon.
// - piscina, pino, pino-pretty: start threads with files of their own.
// - @ai-sdk: one of them asks for a package by the place of its own file. Loaded only when a model is configured.
// - unpdf, @faker-js/faker: large, and loaded only for a PDF and for made-up calls.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { listPackages } from './bundled-packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const apart = Object.keys(dependencies)

/**
 * What the authorization server brings along, otherwise: it says on standard output what its developers should know, where commands
 * print JSON; and of what its framework uses to warn of old names, which evaluates text, the package's own quiet form for bundles.
 * And of what limits rates those of its stores that are used: the index loads one for every database there is, and node:cluster (a
 * twentieth of what a command takes). And yargs looks for a package.json above its own file: in a bundle it would look above the
 * user's directory, and where there is none throw an error whose trace reads source maps, another twentieth. And when a command has begun it
 * would write the help of it, for a failure that shows help: ours show none.
 */
const quietForms = {
  name: 'quiet forms',
  load(id) {
    if (/[/\\]oidc-provider[/\\]lib[/\\]helpers[/\\]attention\.js$/.test(id)) {
      return 'export function info() {}\nexport function warn() {}\n'
    }
    if (/[/\\]depd[/\\]index\.js$/.test(id))
      return readFileSync(join(dirname(id), 'lib', 'browser', 'index.js'), 'utf8')
    if (/[/\\]rate-limiter-flexible[/\\]index\.js$/.test(id)) {
      const used = ['RateLimiterMemory', 'RateLimiterMongo', 'RateLimiterRes']
      return `module.exports = { ${used.map(name => `${name}: require('./lib/${name}')`).join(', ')} }`
    }
    if (/[/\\]yargs[/\\]lib[/\\]platform-shims[/\\]esm\.mjs$/.test(id)) {
      return replaced(readFileSync(id, 'utf8'), 'mainFilename || process.cwd()', '__dirname')
    }
    if (/[/\\]yargs[/\\]build[/\\]lib[/\\]command\.js$/.test(id)) {
      return replaced(readFileSync(id, 'utf8'), 'yargs.getInternalMethods().getUsageInstance().cacheHelpMessage();', '')
    }
    return undefined
  },
}

/** A text with a part of it changed, which has to be there once. */
function replaced(text, part, by) {
  const parts = text.split(part)
  if (parts.length !== 2) throw new Error(`${part} is there ${parts.length - 1} times`)
  return parts.join(by)
}

/**
 * What most commands load is one file, not a hundred: finding and reading each costs a millisecond. What every start loads, and
 * --version alone, is another.
 */
const SHARED_BY_COMMANDS = {
  groups: [
    { name: 'start', test: /src[/\\]cli[/\\](?:run-cli|stdout)\.ts$/, priority: 1 },
    { name: 'shared', minShareCount: 30 },
  ],
}

const program = await bundle('program', byName(['src/main.ts', 'src/cli/run-cli.ts']), {
  cleanDir: true,
  codeSplitting: SHARED_BY_COMMANDS,
})
// By themselves: with what commands share a thread would load all of it, 0.4 s of processor and 50 MB in place of 0.1 s and 10.
const threads = await bundle('program', byName(startedFiles()), { cleanDir: false })
const library = await bundle('library', { pipeline: 'src/pipeline/library.ts' }, { cleanDir: true })
list('program', [...program, ...threads])
list('library', library)
const code = [...program, ...threads, ...library].map(chunk => chunk.code)
const unused = apart.filter(name => !code.some(text => text.includes(`"${name}`)))
if (unused.length > 0) throw new Error(`no bundle needs ${unused.join(', ')}: they are no dependencies`)
copyTypes('pipeline/library')

/** Bundles entries into a flat folder below dist/. Gives back its chunks. */
async function bundle(folder, input, { cleanDir, codeSplitting }) {
  const { output } = await build({
    cwd: root,
    input,
    platform: 'node',
    tsconfig: 'tsconfig.build.json',
    external: new RegExp(`^(${apart.join('|')})(/|$)`),
    // Imports name the file that there is after compiling.
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      // Its other form requires files by names that only its own loader knows.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    },
    output: {
      // One flat folder, so that a thread's file stands beside whatever starts it (src/base/entry-file.ts).
      dir: `dist/${folder}`,
      cleanDir,
      // Stack traces name the sources: bin/stack-traces.cjs reads the maps. They need no copy of the sources for that.
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Of two functions of one name in a file one is called something else. Stack traces, and threads that are told by name what
      // to run, go on knowing it by its own.
      keepNames: true,
      ...(codeSplitting && { codeSplitting }),
    },
    plugins: [quietForms],
    // How long what took says something of the machine only, and would be a warning on one that is busy.
    checks: { bundlerTimings: false },
    // What is not found, or is not what it is taken for, would show only when it is used.
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
  })
  return output.filter(({ type }) => type === 'chunk')
}

/** Lists what packages are in the chunks of a folder below dist/. */
function list(folder, chunks) {
  listPackages(
    join(root, 'dist', folder),
    chunks.flatMap(({ moduleIds }) => moduleIds),
  )
}

/** Copies the declarations that an entry's needs, as `tsc` made them, below dist/library/types/. */
function copyTypes(entry, copied = new Set()) {
  if (copied.has(entry)) return
  copied.add(entry)
  const [from, to] = ['dist', 'dist/library/types'].map(dir => join(root, dir, `${entry}.d.ts`))
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  for (const [, wanted] of readFileSync(from, 'utf8').matchAll(/\bfrom '([^']+)'/g)) {
    if (!wanted.startsWith('.')) throw new Error(`${from} needs the types of ${wanted}, which are not published`)
    copyTypes(join(dirname(entry), wanted.replace(/\.js$/, '')), copied)
  }
}

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
