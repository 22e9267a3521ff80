/**
 * Writes docs/evaluation-report.md: what the rules make of the calls of the Harper Valley corpus, against what the
 * corpus knows of them. `npm run evaluation:report -- --harper-valley DIR`, where DIR holds metadata/ and transcript/.
 * Nothing said in a call is written, only ids and counts. It also holds the rules against the hand-written calls of
 * test/evaluation/gold and prints that table; without the corpus it only prints it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { defaultRubric } from '../dist/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../dist/evaluation/rules/rules-evaluator.js'
import { measureGold, readGold } from './measure-gold.mjs'
import { harperValleyRecord } from '../dist/ingest/formats/harper-valley/harper-valley-record.js'

const PAGE = 'docs/evaluation-report.md'
const { values: options } = parseArgs({ options: { 'harper-valley': { type: 'string' } } })
const folder = options['harper-valley']
const rules = new RulesEvaluator(defaultRubric)

const written = readGold('test/evaluation/gold')
const gold = measureGold(
  rules,
  written.filter(({ holdout }) => !holdout),
)
const heldOut = measureGold(
  rules,
  written.filter(({ holdout }) => holdout),
)
const BAR = 0.9
const share = value => (value === undefined ? '–' : value.toFixed(2))
const below = ({ precision = 0, recall = 0 }) => precision < BAR || recall < BAR
const measured = gold.rows.map(row => [row, heldOut.rows.find(({ key }) => key === row.key)])
const cellsOf = ({ precision, recall, hit, missed, agreed, of }) => [
  share(precision),
  share(recall),
  String(hit + missed),
  `${agreed}/${of}`,
]
printGold()

if (folder === undefined) {
  console.log('\nNothing is written. For the page: npm run evaluation:report -- --harper-valley DIR')
  process.exit(0)
}

function printGold() {
  const line = (key, a, b, mark = '') =>
    console.log([key.padEnd(26), ...[...a, ...b].map(cell => cell.padStart(9)), mark].join(' ').trimEnd())
  console.log(`${' '.repeat(26)}  ${`${gold.calls} calls, tuned`.padEnd(39)} ${heldOut.calls} calls, held out`)
  const head = ['precision', 'recall', 'present', 'agreed']
  line('signal', head, head)
  for (const [one, other] of measured) line(one.key, cellsOf(one), cellsOf(other), below(other) ? '*' : '')
  console.log(
    `\n* below ${BAR} in calls held out. Reason for the call: ${gold.drivers.right} of ${gold.drivers.of}, held out ${heldOut.drivers.right} of ${heldOut.drivers.of}.`,
  )
  console.log(
    `Evidence that stands in its turn: ${gold.quotes + heldOut.quotes - gold.badQuotes.length - heldOut.badQuotes.length} of ${gold.quotes + heldOut.quotes}.`,
  )
}

const calls = readdirSync(join(folder, 'metadata'))
  .filter(name => name.endsWith('.json'))
  .toSorted()
  .map(name => {
    const read = part => JSON.parse(readFileSync(join(folder, part, name), 'utf8'))
    const metadata = read('metadata')
    const { record, fault } = harperValleyRecord(metadata, read('transcript'))
    if (record === undefined) throw new Error(`${name}: ${fault.message}`)
    const { fields, none } = rules.evaluate(record, new Date(0))
    if (fields === undefined) throw new Error(`${name}: ${none}`)
    const states = new Map(fields.signals.map(({ key, state }) => [key, state]))
    return {
      id: metadata.sid,
      task: metadata.tasks?.[0]?.task_type,
      record,
      fields,
      states,
      rating: ratingOf(metadata),
    }
  })

function ratingOf(metadata) {
  const rating = Number(metadata.caller?.survey_response?.data?.partner_rating)
  return Number.isFinite(rating) && rating > 0 ? rating : undefined
}

const mean = values => (values.length === 0 ? '–' : (values.reduce((a, b) => a + b, 0) / values.length).toFixed(2))
const idsWhere = test => {
  const ids = calls.filter(test).map(({ id }) => `\`${id}\``)
  return ids.length === 0 ? 'none' : ids.join(', ')
}
const is =
  (key, state) =>
  ({ states }) =>
    states.get(`sig.${key}`) === state
const count = test => calls.filter(test).length
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const tasks = [...new Set(calls.map(({ task }) => task))].toSorted((a, b) => (a < b ? -1 : 1))
const right = calls.filter(({ task, fields }) => task === fields.interaction_driver)
const quotes = calls.flatMap(({ record, fields }) =>
  fields.signals.flatMap(({ evidence = [] }) =>
    evidence.map(({ turn, quote }) => record.transcript.some(one => one.turn === turn && one.text.includes(quote))),
  ),
)
const keys = defaultRubric.rubric.signals.map(({ key }) => key)
const rated = calls.filter(({ rating }) => rating !== undefined)
// A task that was done and not said to be done: the corpus' tasks all end with the agent doing them.
const unsaid = is('resolution_stated', 'unclear')
const lost = ({ fields }) => fields.trust.level !== 'high'

const wrongStates = gold.rows.filter(({ wrong }) => wrong.length > 0)
const falls = measured.filter(([, other]) => below(other))

const page = `# What the rules get right, and wrong

This page is written by \`npm run evaluation:report -- --harper-valley DIR\`: version ${defaultRubric.version} of the default rubric
over hand-written calls whose signals are labelled, and over recorded ones.

## Hand-written calls

${gold.calls + heldOut.calls} support calls are in \`test/evaluation/gold\`, each with the state of every signal beside it. The labels follow the
table of the default rubric. To ${gold.calls} of them the rules were tuned: what the rules missed was mended by general wordings
and a few repairs of the detectors, and some 30 labels that contradicted the table, or another label, were corrected (bare
"bye" is no courtesy; one number read back is not two; a delivery date is a next step; an address that the task needs
proves no identity; "let me have a look" is no word of gladness).

${heldOut.calls} more were written and labelled afterwards, in another hand, before the rules had seen them, and no wording was added
because of them: **the held-out columns say what to expect of new calls**. (One fault they showed was mended: "no one
available" had been read as the number one.) They are the third set held out. The second, 25 calls in
the words of other regions and trades, is what showed how narrow the wordings of version 1 were: 0.9 was reached
for 7 of the 28 signals. It is among the tuned ones now. All of it has few authors, who knew the rules by
then, so a call centre's own calls may fare worse; and with so few calls, one miss in a rare signal is much.

Precision: of the calls in which the signal is found present, the share in which it is. Recall: of those in which it is
present, the share in which it is found. Agreed: calls with the right state of the three (a signal that is absent and
one that does not apply count as the same).

${table(
  ['Signal', 'Precision', 'Recall', 'Present', 'Agreed', 'Held out: precision', 'Recall', 'Present', 'Agreed'],
  measured.map(([one, other]) => [`\`${one.key}\``, ...cellsOf(one), ...cellsOf(other)]),
)}

Before tuning, on the first 57 calls, the weakest were \`sig.brand_named\` (recall 0.47), \`sig.cancel_intent\` and
\`sig.competitor_mentioned\` (0.50), \`sig.customer_frustrated\` (0.55), \`sig.empathy_shown\` (0.57) and
\`sig.resolution_stated\` (0.68); precision was 0.9 or more but for \`sig.dead_air\`, \`sig.agent_rude\` and \`sig.next_step_given\`.

Below ${BAR} in calls held out, and kept from getting worse by a test: ${falls.map(([{ key }]) => `\`${key}\``).join(', ')}. The rules know phrases;
a way of saying it that nobody listed is not found, and the signals whose wording varies most fall short first: what was done,
in so many words, and what the customer makes of it.

The reason for the call is right in ${gold.drivers.right} of ${gold.drivers.of}, and in ${heldOut.drivers.right} of ${heldOut.drivers.of} held out. ${gold.quotes + heldOut.quotes - gold.badQuotes.length - heldOut.badQuotes.length} of ${gold.quotes + heldOut.quotes} pieces of evidence stand verbatim in
the turn they name.

Where the rules and the labels differ in the calls the rules were tuned to:

${table(
  ['Signal', 'Call: label, found'],
  wrongStates.map(({ key, wrong }) => [
    `\`${key}\``,
    wrong.map(({ id, wanted, found }) => `${id}: ${wanted}, ${found}`).join('; '),
  ]),
)}

## Recorded calls

${calls.length} calls of the Harper Valley corpus, recorded conversations in which people play
customers and agents of a bank. This part holds ids and counts only. The corpus knows the real task of each call and how the
caller rated it; the rules see neither.

The calls are short and polite. They say little about complaints, holds, escalation or rudeness, and the words of the
default rubric's drivers were tuned with these calls in sight: expect less on calls of another kind.

### The reason for the call

The driver found in the words of the customer's first turns is the call's real task in **${right.length} of ${calls.length}** calls.

${table(
  ['Task', 'Calls', 'Found'],
  tasks.map(task => [task, count(one => one.task === task), right.filter(one => one.task === task).length]),
)}

Wrong or not found: ${idsWhere(({ task, fields }) => task !== fields.interaction_driver)}.

### Signals

${table(
  ['Signal', 'Present', 'Absent', 'Unclear', 'Does not apply'],
  keys.map(key => [
    `\`${key}\``,
    ...['present', 'absent', 'unclear', undefined].map(state => count(({ states }) => states.get(key) === state)),
  ]),
)}

${quotes.filter(Boolean).length} of ${quotes.length} pieces of evidence stand verbatim in the turn they name.

### Scores

Mean score ${mean(calls.flatMap(({ fields }) => fields.score ?? []))}, mean predicted CSAT ${mean(calls.flatMap(({ fields }) => fields.predicted_csat ?? []))} (both 1–5).
${rated.length} callers rated the call, ${rated.filter(({ rating }) => rating === 10).length} of them with 10 of 10: whether a prediction orders calls the way callers do can't be told from these.

### What the rules get wrong, or can't tell

- **Done, but not said.** In ${count(unsaid)} calls the agent does the task without saying so in words, or in words the rubric
  does not know; \`sig.resolution_stated\` is unclear there, which costs half of its weight: ${idsWhere(unsaid)}.
- **Identity.** In ${count(is('identity_verified', 'unclear'))} calls the agent asks for an address or telephone number that the task needs anyway, so
  \`sig.identity_verified\` is unclear; in ${count(is('identity_verified', 'absent'))} nobody asks for anything, which is this corpus' script and no fault of its agents.
- **Names at the beginning.** Customers here begin with their name. That an agent did not ask for it is not held for them.
- **Interruptions.** Whatever the agent says while the customer still speaks counts as one, a short "okay" too: ${idsWhere(is('agent_interrupts', 'present'))}.
- **Trouble.** A lost card counts as trouble, and empathy is expected; in ${count(is('empathy_shown', 'absent'))} of ${count(({ states }) => states.has('sig.empathy_shown'))} such calls none is heard, and a
  listener may find that right for a call of a minute.
- **Turns nobody understood** lower trust below high in ${count(lost)} calls: ${idsWhere(lost)}.
`

const config = (await resolveConfig(PAGE)) ?? {}
writeFileSync(PAGE, await format(page, { ...config, filepath: PAGE }))
console.log(`${PAGE}: ${calls.length} calls, driver right in ${right.length}`)
