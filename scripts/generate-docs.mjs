// Writes the generated pages of docs/, the linter's rules for layers and the fingerprint of the evaluator, or with --check says which of them are not
// current, and which files that any page names are not there. Needs a build.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { format } from 'oxfmt'
import { commandsPage } from './docs/commands-page.mjs'
import { configurationPage } from './docs/configuration-page.mjs'
import { formatsPage } from './docs/formats-page.mjs'
import { maskingPage } from './docs/masking-page.mjs'
import { pathsNotThere } from './docs/paths-not-there.mjs'
import { pipelinePage } from './docs/pipeline-page.mjs'
import { rulesPage } from './docs/rules-page.mjs'
import { signalsPage } from './docs/signals-page.mjs'
import { tablesPage } from './docs/tables-page.mjs'
import { toolsPage } from './docs/tools-page.mjs'
import { evaluatorFingerprint } from './evaluator-fingerprint.mjs'
import { layerRules } from './layer-rules.mjs'

const PAGES = {
  '.oxlintrc.layers.json': layerRules,
  'docs/cli.md': commandsPage,
  'docs/configuration.md': configurationPage,
  'docs/formats.md': formatsPage,
  'docs/masking.md': maskingPage,
  'docs/pipeline.md': pipelinePage,
  'docs/pipeline-rules.md': rulesPage,
  'docs/signals.md': signalsPage,
  'docs/tables.md': tablesPage,
  'docs/tools.md': toolsPage,
  'src/evaluation/evaluator-fingerprint.ts': evaluatorFingerprint,
}
const root = new URL('../', import.meta.url)
const check = process.argv.includes('--check')
const stale = []

for (const [path, page] of Object.entries(PAGES)) {
  const source = await page()
  const text = path.endsWith('.ts') ? source : (await format(path, source)).code
  const url = new URL(path, root)
  if (check) {
    const current = await readFile(url, 'utf8').catch(() => '')
    if (current !== text) stale.push(path)
  } else {
    await mkdir(new URL('./', url), { recursive: true })
    await writeFile(url, text)
  }
}

if (stale.length > 0) {
  console.error(`Not current: ${stale.join(', ')}. Run "npm run docs" and commit the result.`)
  process.exitCode = 1
}

const missing = check ? await pathsNotThere() : []
if (missing.length > 0) {
  console.error(`Not there: ${missing.join(', ')}. Name the files as they are called now.`)
  process.exitCode = 1
}
