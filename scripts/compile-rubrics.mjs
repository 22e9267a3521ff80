// Makes of the rubrics in rubrics/ what the program reads: dist/rubrics/<name>.json, checked, with what each extends written out.
// A rubric that is wrong is told with its line, as `earshot rubric check` tells it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseRubric, readYaml } from '../dist/evaluation/rubric/parse-rubric.js'
import { rubric as rubricSchema } from '../dist/evaluation/rubric/rubric.js'

/** The rubric on whose labelled calls confidence was measured; what it takes over unchanged from a shared one is measured for all. */
const MEASURED = 'support-calls.yaml'
/** What a signal is found by. */
const RULES = ['applies', 'present', 'unclear', 'absent']

const source = new URL('../rubrics/', import.meta.url)
const target = new URL('../dist/rubrics/', import.meta.url)

rmSync(target, { recursive: true, force: true })
mkdirSync(new URL('shared/', target), { recursive: true })

const confidence = measuredOf(MEASURED)

/** What rubrics share is no rubric by itself: it is checked in those that extend it. */
const shared = new Map(filesIn('shared/').map(file => [basename(file, '.yaml'), told(file, readYaml).value]))
const measured = rubricSchema.parse(
  withConfidence(told(MEASURED, text => parseRubric(text, { rubrics: shared, catalogs: new Map() }))),
)
const ownRules = told(MEASURED, readYaml).value.signals.filter(one => RULES.some(rule => rule in one))
for (const [name, value] of shared) {
  shared.set(name, withConfidence(value, new Set(ownRules.map(({ key }) => key))))
  write(`shared/${name}.yaml`, shared.get(name))
}
/** In other languages they extend it. */
const extendable = new Map([...shared, [measured.name, measured]])
for (const file of filesIn('')) {
  const rubric =
    file === MEASURED ? measured : told(file, text => parseRubric(text, { rubrics: extendable, catalogs: new Map() }))
  // What it has alone was measured on its own calls.
  const measuredHere = file === MEASURED ? {} : measuredOf(file)
  rubric.signals = rubric.signals.map(one =>
    one.key in measuredHere ? { ...one, confidence: measuredHere[one.key] } : one,
  )
  if (`${rubric.name}.yaml` !== file)
    throw new Error(`rubrics/${file} has the name ${rubric.name}: a file has that of its rubric`)
  write(file, rubric)
}

/** Signals that projects choose: each is checked as a rubric's. */
mkdirSync(new URL('catalog/', target), { recursive: true })
for (const file of filesIn('catalog/')) {
  const { language, signals } = told(file, readYaml).value
  const rubric = {
    name: 'catalog',
    title: 'Catalog',
    language,
    dimensions: [{ key: 'opening', name: 'Opening', weight: 1 }],
  }
  write(
    file,
    told(file, () => parseRubric(JSON.stringify({ ...rubric, signals }), { rubrics: shared, catalogs: new Map() }))
      .signals,
  )
}

/** @param but signals it was not measured of */
function withConfidence(rubric, but = new Set()) {
  const signals = rubric.signals.map(signal => {
    const one = but.has(signal.key) ? undefined : confidence[signal.key]
    return one === undefined ? signal : { ...signal, confidence: one }
  })
  return { ...rubric, signals }
}

function measuredOf(file) {
  return filesIn('measured/').includes(`measured/${file}`) ? told(`measured/${file}`, readYaml).value.signals : {}
}

function filesIn(folder) {
  return readdirSync(new URL(folder, source))
    .filter(name => name.endsWith('.yaml'))
    .map(name => folder + name)
}

function told(file, read) {
  try {
    return read(readFileSync(new URL(file, source), 'utf8'))
  } catch (error) {
    throw new Error(`rubrics/${file}: ${error.message}`, { cause: error })
  }
}

function write(file, value) {
  writeFileSync(new URL(file.replace(/\.yaml$/, '.json'), target), JSON.stringify(value))
}
