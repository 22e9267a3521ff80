// Builds console/ (dist/console/ is what `tsc` makes of src/console/). Says no when what is opened has become too large for that.
// - into dist/web/: the page and its files, each beside itself compressed as it is served;
// - into dist/views/: one file for the windows of AI clients, which load nothing from anywhere.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { accumulators } from '../dist/pipeline/accumulators/accumulators.js'
import { callSchema } from '../dist/pipeline/call-schema.js'
import { expressionOperators } from '../dist/pipeline/expressions/expression-operators.js'
import { matchOperators } from '../dist/pipeline/match/match-operators.js'
import { stageDefinitions } from '../dist/pipeline/stages/stage-definitions.js'
import { listPackages } from './bundled-packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist', 'web')

/** Most of a first view, whichever screen it is: page, style and all code it needs, brotli. */
const FIRST_VIEW_KIB = 200
/** Most of the page for AI clients, which hand it to whoever looks with each first answer. */
const VIEWS_KIB = 180

/** Served as they are, and not to anyone: the list of what is bundled stands beside the program's. */
const COMPRESSED = new Set(['.css', '.html', '.js', '.svg'])

/** The names of the pipeline language and of the calls' fields, which Explore completes: a module made of the lists that the service reads. */
const PIPELINE_NAMES = 'virtual:pipeline-names'

function pipelineNames() {
  const names = list => list.map(({ name }) => name).toSorted()
  const all = {
    stages: names(stageDefinitions),
    matching: names(matchOperators),
    accumulators: names(accumulators),
    expressions: names(expressionOperators),
    fields: [...callSchema].flatMap(([name, type]) => pathsOf(name, type)),
  }
  return {
    name: 'pipeline-names',
    resolveId: id => (id === PIPELINE_NAMES ? `\0${id}` : undefined),
    load: id => (id === `\0${PIPELINE_NAMES}` ? `export const names = ${JSON.stringify(all)}` : undefined),
  }
}

/** A field and what is in it, by their paths. */
function pathsOf(path, type) {
  const inner = type.kind === 'list' ? type.of : type
  if (inner.kind !== 'struct') return [path]
  return [path, ...[...inner.fields].flatMap(([name, field]) => pathsOf(`${path}.${name}`, field))]
}

const shared = {
  root: join(root, 'console'),
  configFile: false,
  logLevel: 'warn',
  // Below this path of the listener (src/console/add-console.ts).
  base: '/console/',
}
const buildOptions = {
  emptyOutDir: true,
  target: 'es2022',
  // The first with light-dark(), of spring 2024: colours would else follow the system alone.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  // No data: addresses, which the page's policy refuses.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  cssCodeSplit: false,
  reportCompressedSize: false,
}
const rolldownOptions = {
  // How long what took says something of the machine only, and would be a warning on one that is busy.
  checks: { bundlerTimings: false },
  // What is not found, or is not what it is taken for, would show only when it is used.
  onLog(level, { code, message }) {
    if (level === 'warn' && code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(message)
  },
}

const { output } = await build({
  ...shared,
  plugins: [pipelineNames()],
  build: { ...buildOptions, outDir: out, rolldownOptions },
})
await buildViews()

const chunks = output.filter(({ type }) => type === 'chunk')
listPackages(
  out,
  chunks.flatMap(({ moduleIds }) => moduleIds),
)

const sizes = new Map()
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  if (!COMPRESSED.has(extname(name))) continue
  const bytes = readFileSync(join(out, name))
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(join(out, `${name}.br`), br)
  writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  sizes.set(name, br.length)
}

const entry = chunks.find(({ isEntry }) => isEntry)
const screens = chunks.filter(({ isDynamicEntry }) => isDynamicEntry)
for (const screen of screens) {
  const files = ['index.html', ...styles(), ...withImports(entry), ...withImports(screen)]
  const kib = [...new Set(files)].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) / 1024
  if (kib <= FIRST_VIEW_KIB) continue
  rmSync(out, { recursive: true })
  throw new Error(`Opening ${screen.name} takes ${kib.toFixed(1)} KiB (brotli), of ${FIRST_VIEW_KIB} that it may`)
}

function styles() {
  return output.filter(({ fileName }) => fileName.endsWith('.css')).map(({ fileName }) => fileName)
}

function withImports({ fileName, imports }) {
  const found = imports.map(name => chunks.find(chunk => chunk.fileName === name)).filter(chunk => chunk !== undefined)
  return [fileName, ...found.flatMap(withImports)]
}

/** The page of console/view.html with its code and its style in it: what an AI client is handed is one text. */
async function buildViews() {
  const outDir = join(root, 'dist', 'views')
  const views = await build({
    ...shared,
    // Nothing of the console's page is served beside it.
    publicDir: false,
    build: {
      ...buildOptions,
      outDir,
      write: false,
      rolldownOptions: {
        ...rolldownOptions,
        input: join(root, 'console', 'view.html'),
        output: { codeSplitting: false },
      },
    },
  })
  const assets = new Map(views.output.map(one => [one.fileName, one]))
  const page = String(assets.get('view.html').source)
  const inlined = page
    .replace(
      /<link rel="stylesheet"[^>]* href="\/console\/([^"]+)"[^>]*>/,
      (_, name) => `<style>${String(assets.get(name).source)}</style>`,
    )
    // Where the code ends is where the parser first reads its end, whatever text that stands in.
    .replace(
      /<script type="module"[^>]* src="\/console\/([^"]+)"><\/script>/,
      (_, name) => `<script type="module">${assets.get(name).code.replaceAll('</script', '<\\/script')}</script>`,
    )
  if (/(?:src|href)="/.test(inlined.replace(/<script[^]*<\/script>/, '')))
    throw new Error('The page of the views asks for another file')
  const kib = brotliCompressSync(inlined).length / 1024
  if (kib > VIEWS_KIB)
    throw new Error(`The page of the views has ${kib.toFixed(1)} KiB (brotli), of ${VIEWS_KIB} that it may`)
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, 'view.html'), inlined)
  listPackages(
    outDir,
    views.output.filter(({ type }) => type === 'chunk').flatMap(({ moduleIds }) => moduleIds),
  )
}
