// How often detect_changes' tests call a change where none is, when calls are not independent: agents differ from each
// other, and take calls in both periods, or only in one. Prints the table of docs/statistics.md.
//
//   npm run --silent build && node scripts/simulate-clustering.mjs
import { compareMeans } from '../dist/questions/statistics/compare-means.js'
import { compareShares } from '../dist/questions/statistics/compare-shares.js'
import { Random } from '../dist/ingest/generate/random.js'

const SETS = 4000
const AGENTS = 20
const CALLS = 25
/** Standard deviation of scores within one agent's calls. */
const WITHIN = 0.8

const normal = random => Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())

function sampleOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count: values.length, mean, deviation: Math.sqrt(square / (values.length - 1)) }
}

/** Share of data sets without any change in which p is below 0.05, for means and for shares. */
function falseAlarms(icc, sameAgents) {
  const random = new Random(1)
  const between = WITHIN * Math.sqrt(icc / (1 - icc))
  let means = 0
  let shares = 0
  for (let set = 0; set < SETS; set += 1) {
    const team = () => Array.from({ length: AGENTS }, () => between * normal(random))
    const before = team()
    const now = sameAgents ? before : team()
    const scores = agents =>
      agents.flatMap(effect => Array.from({ length: CALLS }, () => 3.5 + effect + WITHIN * normal(random)))
    const [a, b] = [scores(now), scores(before)]
    const p = compareMeans(sampleOf(a), sampleOf(b))
    if (p < 0.05) means += 1
    // The same calls as a share: those of 3.5 and more.
    const hits = values => ({ hits: values.filter(value => value >= 3.5).length, of: values.length })
    if (compareShares(hits(a), hits(b)) < 0.05) shares += 1
  }
  return [means / SETS, shares / SETS]
}

const percent = value => `${(100 * value).toFixed(1)} %`
console.log(
  '| Part of the variance that is between agents | Design effect | Same agents in both periods: means, shares | Other agents in each: means, shares |',
)
console.log('| --- | --- | --- | --- |')
for (const icc of [0, 0.02, 0.05, 0.1, 0.2]) {
  const effect = 1 + (CALLS - 1) * icc
  const cells = [true, false].map(same => falseAlarms(icc, same).map(percent).join(', '))
  console.log(`| ${icc} | ${effect.toFixed(2)} | ${cells.join(' | ')} |`)
}
