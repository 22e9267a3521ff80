// Makes of the rubrics in rubrics/ what the program reads: dist/rubrics/<name>.json, checked, with what each extends written out.
// A rubric that is wrong is told with its line, as `earshot rubric check` tells it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseRubric, readYaml } from '../dist/evaluation/rubric/parse-rubric.js'

const source = new URL('../rubrics/', import.meta.url)
const target = new URL('../dist/rubrics/', import.meta.url)

rmSync(target, { recursive: true, force: true })
mkdirSync(new URL('shared/', target), { recursive: true })

/** What rubrics share is no rubric by itself: it is checked in those that extend it. */
const shared = new Map(
  filesIn('shared/').map(file => {
    const { value } = told(file, readYaml)
    write(file, value)
    return [basename(file, '.yaml'), value]
  }),
)
for (const file of filesIn('')) {
  const rubric = told(file, text => parseRubric(text, shared))
  if (`${rubric.name}.yaml` !== file)
    throw new Error(`rubrics/${file} has the name ${rubric.name}: a file has that of its rubric`)
  write(file, rubric)
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
