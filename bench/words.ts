/**
 * What a search in texts costs by words and without them: `npm run bench:words -- --data-dir DIR [--rounds 5] [--search "word|other word"]`.
 * With `--from DIR2 --times N` the directory is made first, of one that holds some calls of one project: N copies of them with
 * other ids and days, and other numbers in their texts. Words that are not there yet are made first, which is told as well. No server may hold the directory.
 * Prints milliseconds of processor and of the wall: how many calls match, and the newest ten.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { callSchema, narrow, parsePipeline } from '../src/pipeline/index.js'
import { scope } from '../src/pipeline/scope.js'
import { searchTerms } from '../src/questions/search-terms.js'
import { openDuckDbStore } from '../src/store/duckdb/open-duckdb-store.js'
import { projectOf, repeatCalls, storeFile } from './service/made-store.js'
import { processorMs } from './service/processor-ms.js'

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    from: { type: 'string' },
    times: { type: 'string', default: '25' },
    rounds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '768MB' },
    search: {
      type: 'string',
      default: 'could|every|case|brielle|ah7-91806|zzzz|case account|"in this case"|"brielle speaking"',
    },
  },
})
const dataDir = options['data-dir']
if (dataDir === undefined) throw new Error('--data-dir is missing: the directory that is measured')
const file = storeFile(dataDir)

if (options.from !== undefined) {
  await repeatCalls(options.from, dataDir, Number(options.times), copy => ({
    search_text: `replace(replace(search_text, 'ah-', 'ah${copy}-'), ' k-', ' k${copy}-')`,
  }))
}

const sizeMiB = () => Math.round(statSync(file).size / 1024 ** 2)
const store = await openDuckDbStore({ dataDir, memoryLimit: options.memory, threads: 2 })
const { project, calls } = await projectOf(store)
const before = { bytes: sizeMiB(), processor: processorMs(), at: performance.now() }
// Whoever makes words waits in between, and keeps no process for it.
const stay = setInterval(() => undefined, 1_000)
const indexed = await store.words.indexWords(project, {
  progress: ({ made: done, left }) => console.log(`${done} calls indexed, ${left} left`),
})
clearInterval(stay)
if (indexed > 0) {
  const took = processorMs() - before.processor
  console.log(
    `${indexed} calls: ${Math.round((took * 1_000) / indexed)} µs of processor each, ${before.bytes} MiB before and ${sizeMiB()} after`,
  )
}

const ask = async (stages: readonly object[], byTexts: boolean) => {
  const pipeline = parsePipeline(stages, { shape: callSchema, now: new Date(), derivedFields: true })
  const scoped = narrow(pipeline, scope(project, 'all'), { before: pipeline.now })
  const { documents } = await store.run(scoped, {
    lane: 'heavy',
    deadlineMs: 120_000,
    maxDocuments: 20,
    ...(byTexts && { endsEarly: true }),
  })
  return documents
}

async function measured(stages: readonly object[], byTexts: boolean): Promise<string> {
  const processor: number[] = []
  const wall: number[] = []
  // oxlint-disable no-await-in-loop -- one after the other
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const [began, at] = [processorMs(), performance.now()]
    await ask(stages, byTexts)
    processor.push(processorMs() - began)
    wall.push(performance.now() - at)
  }
  // oxlint-enable no-await-in-loop
  const least = (values: readonly number[]) => Math.round(Math.min(...values))
  return `${least(processor)} / ${least(wall)}`
}

const table = new Table({
  head: ['search', 'calls', 'count: texts', 'by words', 'newest ten: texts', 'by words'],
  style: { head: [], border: [] },
})
for (const search of options.search.split('|')) {
  const $match = { $and: searchTerms(search).map(({ condition }) => condition) }
  const count = [{ $match }, { $count: 'n' }]
  const page = [{ $match }, { $sort: { created_dt: -1, _id: 1 } }, { $limit: 10 }, { $project: { title: 1, score: 1 } }]
  // oxlint-disable no-await-in-loop -- one after the other
  const [byTexts, byWords] = [await ask(count, true), await ask(count, false)]
  if (JSON.stringify(byTexts) !== JSON.stringify(byWords)) throw new Error(`${search}: words find others than texts`)
  table.push([
    search,
    Number(byWords[0]?.['n'] ?? 0),
    await measured(count, true),
    await measured(count, false),
    await measured(page, true),
    await measured(page, false),
  ])
  // oxlint-enable no-await-in-loop
}
console.log(
  `${calls} calls of ${project}, ${sizeMiB()} MiB; milliseconds of processor / of the wall, the least of ${options.rounds}`,
)
console.log(table.toString())
await store.close()
