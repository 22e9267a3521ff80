/**
 * Writes docs/evaluation-report.md: what the rules make of the calls of the Harper Valley corpus, against what the
 * corpus knows of them. `npm run evaluation:report -- --harper-valley DIR`, where DIR holds metadata/ and transcript/.
 * Nothing said in a call is written, only ids and counts. It also holds the rules against the hand-written calls of
 * test/evaluation/gold.ndjson and prints that table, and the phrases that nothing labelled says; without the corpus it
 * only prints them. `npm run evaluation:report -- --project NAME` tells of a project of the installation that this machine's
 * settings name: precision of each signal by what people said of it, which is `earshot verdicts`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format } from 'oxfmt'
import { builtInRubrics, defaultRubric } from '../dist/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../dist/evaluation/rules/rules-evaluator.js'
import { readSentences } from '../dist-bench/bench/evaluation/labelled-sentences.js'
import { Support, withoutPhrases } from '../dist-bench/bench/evaluation/phrase-support.js'
import {
  chosenAlarms,
  chosenSignals,
  isUntouchedSentence,
  measureChosen,
  totalOf,
} from '../dist-bench/bench/evaluation/chosen-signals.js'
import { backgroundCalls, falseAlarms } from '../dist-bench/bench/evaluation/background-calls.js'
import { brierOf, findsOf, reliabilityOf } from '../dist-bench/bench/evaluation/calibration.js'
import { tunedCalls, untouchedCalls } from '../dist-bench/bench/evaluation/labelled-calls.js'
import { tryOpinions } from '../dist-bench/bench/evaluation/second-opinions.js'
import { measureLanguage, OTHER_LANGUAGES } from '../dist-bench/bench/evaluation/other-languages.js'
import { measureTrades, readTradeCalls } from '../dist-bench/bench/evaluation/trade-calls.js'
import { FEWEST_LABELS } from '../dist/evaluation/distil/distil-signal.js'
import { shareInterval } from '../dist/statistics/mean-interval.js'
import { measureGold, readGold } from './measure-gold.mjs'
import { harperValleyRecord } from '../dist/ingest/formats/harper-valley/harper-valley-record.js'

const PAGE = 'docs/evaluation-report.md'
const { values: options } = parseArgs({
  options: { 'harper-valley': { type: 'string' }, project: { type: 'string' } },
})
if (options.project !== undefined) {
  const verdicts = ['bin/earshot.cjs', 'verdicts', '--project', options.project]
  process.exit(spawnSync(process.execPath, verdicts, { stdio: 'inherit' }).status ?? 1)
}
const folder = options['harper-valley']
/** English alone: what other languages make of calls is a part of its own. */
const rules = new RulesEvaluator({ rubric: defaultRubric.rubric, version: defaultRubric.version })

const groupsOf = (evaluator, file) => {
  const written = readGold(file)
  const measure = test => measureGold(evaluator, written.filter(test))
  return {
    tuned: measure(({ holdout }) => !holdout),
    third: measure(({ id }) => id.startsWith('holdout-')),
    fourth: measure(({ id }) => id.startsWith('holdout4-')),
    fifth: measure(({ id }) => id.startsWith('holdout5-')),
    sixth: measure(({ id }) => id.startsWith('holdout6-')),
    seventh: measure(({ id }) => id.startsWith('holdout7-')),
    open: measure(({ id }) => id.startsWith('seventh-')),
    fresh: measure(({ id }) => id.startsWith('fresh-')),
    speech: measure(({ id }) => id.startsWith('speech-')),
  }
}
const support = groupsOf(rules, 'test/evaluation/gold.ndjson')
const salesRubric = builtInRubrics.get('sales-calls')
const sales = groupsOf(new RulesEvaluator(salesRubric), 'test/evaluation/sales-gold.ndjson')
const salesFresh = measureGold(new RulesEvaluator(salesRubric), readGold('test/evaluation/sales-fresh.ndjson'))
const BAR = 0.9
const tradeCalls = readTradeCalls('test/evaluation/trades.ndjson')
const trades = ['trades-', 'holdout8-'].map(half =>
  measureTrades(
    rules,
    tradeCalls.filter(({ id }) => id.startsWith(half)),
  ),
)
/** What is heard of the signals that projects choose, in the two halves of their sentences. */
const chosenSentences = readSentences('test/evaluation/catalog-ways.txt')
const chosen = [one => !isUntouchedSentence(one), isUntouchedSentence].map(half =>
  measureChosen(chosenSentences.filter(half)),
)
const background = falseAlarms(rules, backgroundCalls('test/evaluation/background.txt', 800))
const languages = OTHER_LANGUAGES.map(around => ({ ...around, ...measureLanguage(around, 'test/evaluation/') }))
const untouched = untouchedCalls({ gold: readGold('test/evaluation/gold.ndjson'), trades: tradeCalls })
/** What the rules say of signals in calls nobody tunes to, by set and state. */
const sure = Object.entries(untouched).flatMap(([set, calls]) => {
  const finds = findsOf(defaultRubric.rubric, calls)
  return ['present', 'absent', 'unclear'].map(state => ({
    set: `${calls.length} ${set === 'gold' ? 'calls held out' : 'calls of ten trades'}`,
    state,
    finds: finds.filter(one => one.state === state),
  }))
})
/** What second opinions learnt from labelled calls are worth, by set. */
const tunedTo = tunedCalls({ gold: readGold('test/evaluation/gold.ndjson'), trades: tradeCalls })
const toNobody = [...untouched.gold, ...untouched.trades]
const opinions = [
  { set: 'Calls the rules are tuned to', some: tunedTo },
  { set: 'Calls nobody tunes to', some: toNobody },
  { set: 'All of them', some: [...tunedTo, ...toNobody] },
].map(({ set, some }) => ({ set, calls: some.length, tried: tryOpinions(defaultRubric, some) }))
/** The calls of ten trades as the rules made of them before each step, in the order of the columns of `tradesTable`. */
const TRADES_BEFORE = [
  ['Before, tuned half', '0.880', '0.781', '28 of 47', '5 of 20', '7 of 8', '0.84', '0 of 5'],
  ['Before, untouched half', '0.866', '0.793', '29 of 51', '4 of 19', '6 of 7', '0.82', '1 of 9'],
  ['Without what the background says, tuned half', '0.882', '0.781', '28 of 47', '5 of 20', '7 of 8', '0.84', '0 of 5'],
  [
    'Without what the background says, untouched half',
    '0.876',
    '0.795',
    '29 of 51',
    '4 of 19',
    '6 of 7',
    '0.83',
    '1 of 9',
  ],
  ['Outcomes followed turn by turn, tuned half', '0.912', '0.781', '28 of 47', '5 of 20', '8 of 8', '0.97', '0 of 5'],
  [
    'Outcomes followed turn by turn, untouched half',
    '0.890',
    '0.795',
    '29 of 51',
    '4 of 19',
    '7 of 7',
    '0.91',
    '1 of 9',
  ],
  [
    'Speakers told, voicemails not scored, tuned half',
    '0.920',
    '0.835',
    '30 of 47',
    '5 of 20',
    '8 of 8',
    '0.98',
    '5 of 5',
  ],
  [
    'Speakers told, voicemails not scored, untouched half',
    '0.893',
    '0.825',
    '30 of 51',
    '4 of 19',
    '7 of 7',
    '0.92',
    '9 of 9',
  ],
]
/** Calls of 800 of the background in which a signal was found before its phrases were looked through. */
const ALARMS_BEFORE = {
  'sig.identity_verified': 22,
  'sig.hold_requested': 33,
  'sig.customer_frustrated': 99,
  'sig.agent_rude': 1,
  'sig.resolution_stated': 90,
  'sig.escalation': 41,
  'sig.cancel_intent': 44,
  'sig.competitor_mentioned': 25,
  'sig.repeat_contact': 77,
}
const HEADS = {
  tuned: 'Tuned: precision',
  third: 'Held out: precision',
  fourth: 'Held out, 4th: precision',
  fifth: 'Held out, 5th: precision',
  sixth: 'Held out, 6th: precision',
  seventh: 'Held out, 7th: precision',
}
/**
 * The second batch of calls of many kinds of speakers (`speech-b-…`), as the rules made of it before they were tuned to it:
 * signal, calls that show it, precision and recall of version 3, and of the rules tuned to the first batch only.
 */
const BEFORE_TUNING = [
  ['greeting_given', 20, '1.00', '0.85', '1.00', '0.85'],
  ['brand_named', 28, '0.96', '0.89', '0.96', '0.89'],
  ['agent_named', 26, '1.00', '0.92', '1.00', '0.96'],
  ['help_offered', 8, '1.00', '1.00', '1.00', '1.00'],
  ['reason_captured', 23, '0.93', '0.61', '0.93', '0.61'],
  ['details_read_back', 1, '1.00', '1.00', '1.00', '1.00'],
  ['identity_verified', 23, '0.88', '0.61', '0.88', '0.61'],
  ['hold_requested', 4, '1.00', '0.50', '1.00', '0.50'],
  ['hold_thanked', 3, '0.50', '0.67', '0.33', '0.33'],
  ['willingness_shown', 4, '0.00', '0.00', '0.00', '0.00'],
  ['empathy_shown', 19, '1.00', '0.42', '1.00', '0.74'],
  ['customer_frustrated', 5, '0.75', '0.60', '0.75', '0.60'],
  ['resolution_stated', 25, '1.00', '0.60', '1.00', '0.60'],
  ['customer_confirms', 25, '1.00', '0.60', '1.00', '0.60'],
  ['next_step_given', 16, '0.72', '0.81', '0.74', '0.88'],
  ['further_help_offered', 19, '0.89', '0.89', '0.89', '0.89'],
  ['closing_courtesy', 26, '1.00', '0.81', '1.00', '0.81'],
  ['escalation', 2, '1.00', '1.00', '1.00', '1.00'],
  ['callback_promised', 4, '1.00', '0.75', '1.00', '0.75'],
  ['cancel_intent', 3, '0.75', '1.00', '0.75', '1.00'],
  ['competitor_mentioned', 2, '1.00', '0.50', '1.00', '0.50'],
  ['repeat_contact', 6, '0.67', '0.67', '0.71', '0.83'],
  ['all', 735, '0.910', '0.726', '0.913', '0.753'],
]
/** What version 4 made of the sets over all signals, before there was a version 5: precision, recall, reasons found. */
const VERSION_4 = {
  fresh: [0.964, 0.888, 14],
  sixth: [0.93, 0.862, 9],
  fifth: [0.976, 0.732, 9],
  fourth: [0.938, 0.752, 11],
  third: [0.985, 0.97, 21],
}
/** The same for the sixth set's signals: precision and recall; those left out were 1.00 both. */
const VERSION_4_IN_SIXTH = {
  brand_named: ['1.00', '0.85'],
  reason_captured: ['1.00', '0.65'],
  identity_verified: ['0.93', '0.93'],
  willingness_shown: ['0.50', '0.29'],
  empathy_shown: ['1.00', '0.64'],
  resolution_stated: ['0.73', '0.92'],
  customer_confirms: ['0.79', '0.92'],
  next_step_given: ['0.94', '0.94'],
  closing_courtesy: ['0.93', '0.88'],
  cancel_intent: ['1.00', '0.33'],
  competitor_mentioned: ['–', '0.00'],
  repeat_contact: ['0.60', '0.75'],
}
/** Single sentences of test/evaluation/ways-held-out.txt: how many there are, and heard rightly by version 4. */
const SENTENCES = { of: 611, before: 461, now: 535 }
/** What version 5 made of the sets over all signals: precision, recall, reasons found; of the sentences set aside, how many. */
const VERSION_5 = {
  open: [0.968, 0.882, 21],
  seventh: [0.976, 0.902, 28],
  sixth: [0.94, 0.945, 18],
  fifth: [0.977, 0.774, 11],
  fourth: [0.939, 0.769, 11],
  third: [0.985, 0.97, 21],
}
const SENTENCES_6 = { of: 794, before: 692, now: 707 }
const share = value => (value === undefined ? '–' : value.toFixed(2))
const below = ({ precision = 0, recall = 0, hit, extra, missed }) =>
  hit + extra + missed > 0 && (precision < BAR || recall < BAR)
const cellsOf = ({ precision, recall, hit, missed, agreed, of }) => [
  share(precision),
  share(recall),
  String(hit + missed),
  `${agreed}/${of}`,
]
const totalsOf = ({ rows, drivers }) => {
  const [hit, extra, missed] = rows.reduce(
    (sum, row) => [sum[0] + row.hit, sum[1] + row.extra, sum[2] + row.missed],
    [0, 0, 0],
  )
  return [hit / (hit + extra), hit / (hit + missed), drivers.right]
}
const agreedOf = ({ rows }) => {
  const [agreed, of] = rows.reduce((sum, row) => [sum[0] + row.agreed, sum[1] + row.of], [0, 0])
  return `${agreed} of ${of} labels (${((100 * agreed) / of).toFixed(1)} %)`
}
const quotesOf = groups =>
  Object.values(groups).reduce(
    (sum, { quotes, badQuotes }) => [sum[0] + quotes - badQuotes.length, sum[1] + quotes],
    [0, 0],
  )
printGold()
printSure()

/** The phrases of the default rubric that are said in nothing the rules were tuned to: no call and no sentence. */
const unsupported = unsupportedPhrases()
/** Calls and sentences nobody tuned to, with every phrase and without those. */
const WITHOUT = new RulesEvaluator({ rubric: withoutPhrases(defaultRubric.rubric, unsupported), version: 'supported' })
const supportRows = costOfLeavingOut()
printUnsupported()

if (folder === undefined) {
  console.log('\nNothing is written. For the page: npm run evaluation:report -- --harper-valley DIR')
  process.exit(0)
}

function printGold() {
  printGroups('Support calls', support, ['tuned', 'third', 'fourth', 'fifth', 'sixth'])
  printGroups('Sales calls', sales, ['tuned', 'third'])
}

function printSure() {
  console.log('\nConfidence on calls nobody tunes to: set, state, said, finds, right with 95 % interval')
  for (const cells of sureRows()) console.log(`  ${cells.join('  ')}`)
  for (const cells of filterRows()) console.log(`  ${cells.join('  ')}`)
  console.log('Second opinions:')
  for (const cells of opinionTotals()) console.log(`  ${cells.join('  ')}`)
  for (const { set, tried } of opinions) {
    console.log(`  ${set}:`)
    for (const cells of tried.map(opinionCells)) console.log(`    ${cells.join('  ')}`)
  }
}

/** Of each set, over the signals that were tried: what is right, and what the rules have right over the same. */
function opinionTotals() {
  return opinions.map(({ set, calls, tried }) => {
    const trials = tried.flatMap(({ trial }) => (trial.kappa === undefined ? [] : [trial]))
    const sum = of => {
      const shares = trials.map(of)
      return withInterval(
        shares.reduce((all, { hits }) => all + hits, 0),
        shares.reduce((all, { of: n }) => all + n, 0),
      )
    }
    return [
      set,
      calls,
      trials.length,
      sum(one => one.precision),
      sum(one => one.rules.precision),
      sum(one => one.recall),
      sum(one => one.rules.recall),
      tried.filter(({ classifier }) => classifier !== undefined).length,
    ]
  })
}

function codeOf(key) {
  return `\`${key}\``
}

function opinionCells({ key, trial, unused }) {
  const { labels, present, kappa, precision, recall, rules: beside, finds, doubts } = trial
  const cell = share => (share === undefined || share.of === 0 ? '–' : withInterval(share.hits, share.of))
  const of = share => (share === undefined || share.of === 0 ? '–' : `${share.hits} of ${share.of}`)
  const opinion = [cell(precision), cell(beside.precision), cell(recall), cell(beside.recall), kappa?.toFixed(2) ?? '–']
  return [
    codeOf(key),
    `${present} of ${labels}`,
    ...opinion,
    of(finds),
    of(doubts),
    unused === undefined ? 'yes' : 'no',
  ]
}

function sureRows() {
  return sure.flatMap(({ set, state, finds }) =>
    reliabilityOf(finds).map(one => [set, state, one.said.toFixed(2), one.finds, withInterval(one.right, one.finds)]),
  )
}

/** What is left of the present signals by a least confidence, and how much of it is right; and what confidence is off by. */
function filterRows() {
  return sure
    .filter(({ state }) => state === 'present')
    .map(({ set, finds }) => {
      const cells = [0, 0.8, 0.9, 0.95].map(least => {
        const left = finds.filter(({ confidence = 0 }) => confidence >= least)
        return `${withInterval(left.filter(({ right }) => right).length, left.length)} of ${left.length}`
      })
      const { own, constant } = brierOf(finds)
      return [set, ...cells, `${own.toFixed(4)} : ${constant.toFixed(4)}`]
    })
}

function withInterval(hits, of) {
  if (of === 0) return '–'
  const [low, high] = shareInterval(hits, of, 1)
  return `${(hits / of).toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`
}

function unsupportedPhrases() {
  const { phrases } = new Support(defaultRubric.rubric, [
    ...readGold('test/evaluation/gold.ndjson')
      .filter(({ holdout }) => !holdout)
      .map(({ id, call, expected }) => ({ id, call, labels: { ...expected.signals, driver: expected.driver } })),
    ...readSentences('test/evaluation/ways-of-saying.txt'),
  ])
  return [...phrases].flatMap(([source, { occurs }]) => (occurs.length === 0 ? [source] : []))
}

function costOfLeavingOut() {
  const calls = readGold('test/evaluation/gold.ndjson').filter(({ holdout }) => holdout)
  const names = ['holdout-', 'holdout4-', 'holdout5-', 'holdout6-', 'holdout7-', 'holdout']
  const titles = ['First set', '4th set', '5th set', '6th set', '7th set', 'All of them']
  const rows = names.map((name, at) => {
    const some = calls.filter(({ id }) => id.startsWith(name))
    const [before, after] = [rules, WITHOUT].map(evaluator => totalsOf(measureGold(evaluator, some)))
    const cells = [0, 1].flatMap(one => [before[one].toFixed(3), after[one].toFixed(3)])
    return [
      titles[at],
      `${some.length} calls`,
      ...cells,
      ...[before[2], after[2]].map(one => `${one} of ${some.length}`),
    ]
  })
  const sentences = readSentences('test/evaluation/ways-held-out.txt')
  const [before, after] = [rules, WITHOUT].map(
    evaluator => sentences.filter(one => heardRightly(evaluator, one)).length,
  )
  const nothing = ['', '', '']
  return [...rows, ['Sentences', `${sentences.length}`, ...nothing, '', String(before), String(after)]]
}

function heardRightly(evaluator, { call, labels }) {
  const { fields } = evaluator.evaluate(call, new Date(0))
  return Object.entries(labels).every(([key, label]) => {
    if (key === 'driver') return (fields?.interaction_driver ?? null) === label
    return (fields?.signals.find(one => one.key === key)?.state ?? 'absent') === label
  })
}

function printUnsupported() {
  console.log(`\n${unsupported.length} phrases are said in nothing the rules were tuned to:`)
  for (const source of unsupported) console.log(`  ${source.startsWith(': ') ? `drivers${source}` : source}`)
  console.log(
    '\nLeaving them out: set, precision with and without, recall with and without, reasons found with and without',
  )
  for (const row of supportRows) console.log(`  ${row.join('  ')}`)
}

function printGroups(title, groups, names) {
  const line = (key, cells, mark = '') =>
    console.log([key.padEnd(28), ...cells.map(cell => cell.padStart(9)), mark].join(' ').trimEnd())
  console.log(
    `\n${title}: ${names.map(name => `${groups[name].calls} ${name === 'tuned' ? 'tuned to' : `held out (${name})`}`).join(', ')}`,
  )
  line(
    'signal',
    names.flatMap(() => ['precision', 'recall', 'present', 'agreed']),
  )
  for (const row of groups.tuned.rows) {
    const rows = names.map(name => groups[name].rows.find(({ key }) => key === row.key))
    line(row.key, rows.flatMap(cellsOf), rows.slice(1).some(below) ? '*' : '')
  }
  console.log(`* below ${BAR} in a set of calls held out`)
  for (const name of names) {
    const { drivers } = groups[name]
    console.log(`${name}: ${agreedOf(groups[name])}; reason for the call right in ${drivers.right} of ${drivers.of}`)
  }
  const [good, all] = quotesOf(groups)
  console.log(`Evidence that stands in its turn: ${good} of ${all}.`)
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

const wrongOf = ({ rows }) => rows.filter(({ wrong }) => wrong.length > 0)
const countedCells = ({ hit, extra, missed } = { hit: 0, extra: 0, missed: 0 }) => [
  withInterval(hit, hit + extra),
  withInterval(hit, hit + missed),
]
const TRADE_HEADS = ['Tuned: precision', 'Recall', 'Untouched: precision', 'Recall']
function tradesTable() {
  const now = trades.map(({ all, reasons, pairs, auc, unscored }, at) => [
    at === 0 ? 'Now, tuned half' : 'Now, untouched half',
    (all.hit / (all.hit + all.extra)).toFixed(3),
    (all.hit / (all.hit + all.missed)).toFixed(3),
    `${reasons.right} of ${reasons.named}`,
    `${reasons.falsely} of ${reasons.unnamed}`,
    `${pairs.right} of ${pairs.of}`,
    auc.toFixed(2),
    `${unscored.right} of ${unscored.of}`,
  ])
  const heads = [
    '',
    'Precision',
    'Recall',
    'Reason named',
    'Falsely named',
    'Better of a pair',
    'Resolution',
    'Not scored',
  ]
  return table(heads, [...TRADES_BEFORE, ...now])
}
/** How far the untouched half is from what is wanted. */
function barsTable() {
  const [, { all, reasons, pairs, auc, unscored }] = trades
  const least = Math.min(...[...trades[1].byTrade.values()].map(({ hit, extra }) => hit / (hit + extra)))
  return table(
    ['Untouched half', 'Wanted', 'Is, with its 95 % interval'],
    [
      [
        'Precision',
        '0.93, in every trade',
        `${withInterval(all.hit, all.hit + all.extra)}; the lowest trade ${least.toFixed(2)}`,
      ],
      ['Recall', '0.85', withInterval(all.hit, all.hit + all.missed)],
      ['Reasons named', '0.85', withInterval(reasons.right, reasons.named)],
      ['Reasons falsely named', 'at most 0.10', withInterval(reasons.falsely, reasons.unnamed)],
      ['Better of a pair scored higher', '0.95', withInterval(pairs.right, pairs.of)],
      ['Resolution', '0.93', auc.toFixed(2)],
      ['Not scored', '–', withInterval(unscored.right, unscored.of)],
    ],
  )
}
function chosenTable() {
  const groups = [...new Set(chosenSignals.map(({ category }) => category))]
  const rowOf = (name, keys) => {
    const halves = chosen.map(({ bySignal }) => totalOf(keys.map(key => bySignal.get(key))))
    return [name, keys.length, ...halves.flatMap(half => countedCells(half))]
  }
  const keysOf = group =>
    chosenSignals.filter(one => group === undefined || one.category === group).map(({ key }) => key)
  const rows = [...groups.map(group => rowOf(group, keysOf(group))), rowOf('all', keysOf())]
  return table(['Group', 'Signals', ...TRADE_HEADS], rows)
}
/** Signals that projects choose and the background shows, rightly: what is asked in any call of its trade. */
function chosenOrdinary() {
  const found = chosenAlarms(backgroundCalls('test/evaluation/background.txt', 800))
  return [...found].map(([key, count]) => `${codeOf(key)} in ${count}`).join(', ')
}
function tradesBySignal() {
  const keys = defaultRubric.rubric.signals.map(({ key }) => key)
  const rows = keys.map(key => [codeOf(key), ...trades.flatMap(half => countedCells(half.bySignal.get(key)))])
  return table(['Signal', ...TRADE_HEADS], [...rows, ['all', ...trades.flatMap(half => countedCells(half.all))]])
}
/** A row a language and half, and one a language for ordinary calls. */
function languagesTable() {
  const rows = languages.flatMap(({ name, ...halves }) =>
    ['tuned', 'untouched'].map(half => {
      const { calls, sentences } = halves[half]
      const { all, reasons, auc, unscored } = calls
      return [
        `${name}, ${half}`,
        calls.calls,
        ...countedCells(all),
        `${reasons.right} of ${reasons.named}`,
        `${reasons.falsely} of ${reasons.unnamed}`,
        auc.toFixed(2),
        `${unscored.right} of ${unscored.of}`,
        `${sentences.right} of ${sentences.of}`,
      ]
    }),
  )
  const heads = [
    '',
    'Calls',
    'Precision',
    'Recall',
    'Reason named',
    'Falsely named',
    'Resolution',
    'Not scored',
    'Sentences',
  ]
  return table(heads, rows)
}
function languageBySignal({ tuned, untouched }) {
  const halves = [tuned.calls, untouched.calls]
  const keys = defaultRubric.rubric.signals
    .map(({ key }) => key)
    .filter(key => halves.some(one => one.bySignal.has(key)))
  const rows = keys.map(key => [codeOf(key), ...halves.flatMap(half => countedCells(half.bySignal.get(key)))])
  return table(['Signal', ...TRADE_HEADS], [...rows, ['all', ...halves.flatMap(half => countedCells(half.all))]])
}
function languagesAlarms() {
  const found = languages.map(({ name, background }) => {
    const rows = background.rows
      .filter(({ alarms }) => alarms > 0)
      .map(({ key, alarms }) => `${codeOf(key)} in ${alarms}`)
    return `of ${background.calls} in ${name} ${rows.length === 0 ? 'none' : rows.join(', ')}`
  })
  return found.join('; ')
}
function tradesByTrade() {
  const names = [...new Set(tradeCalls.map(({ trade }) => trade))].toSorted((a, b) => a.localeCompare(b))
  return table(
    ['Trade', ...TRADE_HEADS],
    names.map(name => [name, ...trades.flatMap(half => countedCells(half.byTrade.get(name)))]),
  )
}
const wrongTable = group =>
  table(
    ['Signal', 'Call: label, found'],
    wrongOf(group).map(({ key, wrong }) => [
      `\`${key}\``,
      wrong.map(({ id, wanted, found }) => `${id}: ${wanted}, ${found}`).join('; '),
    ]),
  )
const goldTable = (groups, names) =>
  table(
    ['Signal', ...names.flatMap(name => [HEADS[name], 'Recall', 'Present'])],
    groups.tuned.rows.map(row => [
      `\`${row.key}\``,
      ...names.flatMap(name => cellsOf(groups[name].rows.find(({ key }) => key === row.key)).slice(0, 3)),
    ]),
  )
const fallsOf = ({ rows }) => {
  const keys = rows.filter(below).map(({ key }) => `\`${key}\``)
  return keys.length === 0 ? 'none' : keys.join(', ')
}
const versionRowsOf = (before, sets) =>
  sets.map(([title, name, then]) => {
    const [precision, recall, right] = then ?? totalsOf(support[name])
    const { of } = support[name].drivers
    const earlier = before[name]
    return [
      title,
      support[name].calls,
      share(earlier[0]),
      share(precision),
      share(earlier[1]),
      share(recall),
      `${earlier[2]} of ${of}`,
      `${right} of ${of}`,
    ]
  })
const versionRows = versionRowsOf(VERSION_5, [
  ['To half of which version 6 was tuned: this half', 'open'],
  ['The other half: 7th set', 'seventh'],
  ['6th set', 'sixth'],
  ['5th set', 'fifth'],
  ['4th set', 'fourth'],
  ['First set', 'third'],
])
const earlierRows = versionRowsOf(VERSION_4, [
  ['To half of which version 5 was tuned: this half', 'fresh', [0.983, 0.983, 20]],
  ['The other half: 6th set', 'sixth', VERSION_5.sixth],
  ['5th set', 'fifth', VERSION_5.fifth],
  ['4th set', 'fourth', VERSION_5.fourth],
  ['First set', 'third', VERSION_5.third],
])
const sixthRows = Object.entries(VERSION_4_IN_SIXTH).map(([name, [precision, recall]]) => {
  const now = support.sixth.rows.find(({ key }) => key === `sig.${name}`)
  return [`\`sig.${name}\``, now.hit + now.missed, precision, share(now.precision), recall, share(now.recall)]
})
const reasonOf = ({ drivers }) => `${drivers.right} of ${drivers.of}`
const supportCalls =
  support.tuned.calls +
  support.third.calls +
  support.fourth.calls +
  support.fifth.calls +
  support.sixth.calls +
  support.seventh.calls
const [goodQuotes, allQuotes] = [quotesOf(support), quotesOf(sales)].reduce(([a, b], [c, d]) => [a + c, b + d])

const page = `# What the rules get right, and wrong

This page is written by \`npm run evaluation:report -- --harper-valley DIR\`: the default rubric over hand-written
calls whose signals are labelled, and over recorded ones. Versions 2 to 6 are how the rubric was counted by hand, until its version became a hash.

## Hand-written support calls

${supportCalls} support calls are in \`test/evaluation/gold.ndjson\`, each with the state of every signal beside it. The labels follow the
table of the default rubric. To ${support.tuned.calls} of them the rules were tuned: what they missed was mended by word classes, general
wordings and a few repairs of the detectors. Some labels were corrected when they contradicted the table or
another label (bare "bye" is no courtesy; one number read back is not two; an address that the task needs proves no
identity; "let me have a look" is no word of gladness).

Five sets were written and labelled before the rules had seen them, and no wording was added because of them: **the
held-out columns say what to expect of new calls**. The first, ${support.third.calls} calls, is an earlier hand's. The other (4th), ${support.fourth.calls} calls in
the words of many regions, was set aside by the hand that then tuned the rules to 68 calls of its own. The third (5th), ${support.fifth.calls} calls of many kinds of speakers, was written
by the hand that tuned the rules to version 4, when it knew their wordings. The fourth (6th), ${support.sixth.calls} calls of as many trades, is the half of
a batch that was set aside by the hash of its names; its author had not read the rules when writing it, but remembers it, and tuned them to the other half.
The fifth (7th), ${support.seventh.calls} calls of as many trades, was halved the same way (SHA-256 of the name; a test holds it to that), by another hand, which read the rules only when calls and labels stood. The totals of these sets were looked at several
times towards the end, never a call or a miss: where the first set's precision had fallen below what version 2
reached, wordings that took in too much were narrowed or left out, five of them found by trying which (one for the held-out sales calls, one for the sentences set aside). All of it has few authors, and with so few calls one miss in a rare signal is much: a call centre's own calls
may fare worse.

How far a new way of speaking is from the rules shows best in what they made of each batch of new calls when they first
saw it, before they were tuned to it (reason found, and recall of three signals):

| Batch | Calls | Reason | Willingness | Empathy | Resolution |
| --- | --- | --- | --- | --- | --- |
| version 2, on calls of many regions | 43 | 0.34 | 0.16 | 0.17 | 0.38 |
| after that, on more of them | 14 | 0.50 | 0.14 | 0.33 | 0.83 |
| after that, on everyday British ones | 11 | 0.44 | 0.33 | 0.83 | 0.56 |
| version 3, on calls of many kinds of speakers | 41 | 0.73 | 0.45 | 0.56 | 0.66 |
| after that, on more of them | 30 | 0.57 | 0.00 | 0.74 | 0.60 |
| after that, on the 5th set | 17 | 0.53 | 0.33 | 0.55 | 0.79 |
| version 4, on calls of many trades | 41 | 0.56 | 0.46 | 0.75 | 0.83 |

Then single sentences: of 58 openings chosen to be unlike those before, the reason was right in 43; of 53 more, in 27.
What was learnt from them, the weaker words a driver has now (\`hints\`), came after.

### What must not be said

Of the 507 phrases that make others void (\`not\`), 167 voided nothing in any call or sentence the rules were tuned to, and went after version
6; of the same kind was one that made "has been transferred from your checking account" void in most recorded transfers. Over all calls held
out precision stayed at 0.966 and recall went from 0.899 to 0.902; of the sentences set aside those that say it went from 0.877
to 0.882 heard rightly, of those that don't none was lost (0.937). A hundred sentences are new that show what the others are for; a test
holds each phrase of \`not\` to voiding something in one.

### Phrases that nothing labelled says

${unsupported.length} phrases of the default rubric are said in no call and no sentence the rules were tuned to (\`npm run evaluation:report\` lists them).
They are not useless: they were written for how else it may be said, and without them the rules hear less of what was set aside. So
they stay.

${table(['Set', 'Of', 'Precision', 'Without them', 'Recall', 'Without them', 'Right reasons, or sentences', 'Without them'], supportRows)}

What went are phrases that find nothing which the others of their list don't find as well, tried on a thousand sentences made up of each
(\`bench/evaluation/redundant-phrases.ts\`; a test keeps it so): 131 of 2,999 in both rubrics. No state of a signal, reason, score or guidance of
any call changed by it: of all labelled calls, the sentences tuned to and set aside, 3,000 calls of the demo and the recorded ones.

### What version 6 is worth on other calls

Version 6 learnt from half of 72 calls, half of some 330 single sentences written before its rules were read, and some 900 written after. The totals of
the other sets were looked at before the first wording and three times after: at the first of these recall of the 7th set had gone from 0.90 to 0.915 only, and the 5th
set's not at all, so wordings that say more in general took the place of more wordings ("I rang", without when; "still no reply"; "I have … $done"), each held
against calls and sentences in which the like is said and not meant. **What is learnt from one hand's calls carries over to another's only in small part.**

${table(
  [
    'Set',
    'Calls',
    'Precision: version 5',
    'Version 6',
    'Recall: version 5',
    'Version 6',
    'Reason: version 5',
    'Version 6',
  ],
  versionRows,
)}

Of the ${SENTENCES_6.of} sentences set aside by now version 5 heard ${SENTENCES_6.before} rightly, version 6 ${SENTENCES_6.now}. Three labels of the half that was learnt from were
corrected when they contradicted the table: a driver that the table's order settles, "let me help", and two values read back.

### What version 5 is worth on other calls

Version 5 learnt from half of 41 calls of many trades and from half of some 1,200 single sentences, written for every signal and
reason; the other halves were set aside before. Precision and recall are over all signals. The 5th set says most, being another hand's: what
was learnt carries over for empathy and for the reason, less for earlier contact, and hardly for cancelling, competitors and what was done.

${table(
  [
    'Set',
    'Calls',
    'Precision: version 4',
    'Version 5',
    'Recall: version 4',
    'Version 5',
    'Reason: version 4',
    'Version 5',
  ],
  earlierRows,
)}

Of the ${SENTENCES.of} sentences set aside (\`test/evaluation/ways-held-out.txt\`) version 4 heard ${SENTENCES.before} rightly, version 5 ${SENTENCES.now}. Signals of
the 6th set that version 4 did not have right throughout:

${table(['Signal', 'Present', 'Precision: version 4', 'Now', 'Recall: version 4', 'Now'], sixthRows)}

Precision: of the calls in which the signal is found present, the share in which it is. Recall: of those in which it is
present, the share in which it is found.

${goldTable(support, ['tuned', 'third', 'fourth', 'fifth', 'sixth', 'seventh'])}

State of the three right (a signal that is absent and one that does not apply count as the same): tuned ${agreedOf(support.tuned)},
held out ${agreedOf(support.third)}, 4th ${agreedOf(support.fourth)}, 5th ${agreedOf(support.fifth)}, 6th ${agreedOf(support.sixth)}, 7th ${agreedOf(support.seventh)}.

Below ${BAR} in calls held out, and kept from getting worse by a test: ${fallsOf(support.third)}; in the 4th set: ${fallsOf(support.fourth)}; in the 5th: ${fallsOf(support.fifth)}; in the 6th: ${fallsOf(support.sixth)}; in the 7th: ${fallsOf(support.seventh)}.
The rules know words and how they go together; a way of saying it that nobody thought of is not found, and the signals
whose wording varies most fall short first: why the customer calls, what was done, and what the customer makes of it.

The reason for the call is right in ${reasonOf(support.tuned)}, held out in ${reasonOf(support.third)}, ${reasonOf(support.fourth)}, ${reasonOf(support.fifth)}, ${reasonOf(support.sixth)} and ${reasonOf(support.seventh)}. ${goodQuotes} of ${allQuotes} pieces of evidence, of
sales calls too, stand verbatim in the turn they name.

### Many kinds of speakers

${support.speech.calls} of the calls the rules were tuned to are by speakers of many kinds of English, from Ireland to India and from the
southern United States to Australia, and eleven of them are written as a recogniser writes: no punctuation, fillers,
false starts. The turns that show a signal are labelled too; of the signals found present, ${support.speech.evidence.right} of ${support.speech.evidence.of} quote one of
them. They came in two batches, and the rules were tuned to the first (41 calls) before they had seen the second (30).
**What they made of the second batch then is the measure of what the tuning is worth on other calls.** Over all signals recall went
from 0.73 to 0.75 by being tuned to the first batch, at a precision of 0.91: what was learnt carries over for empathy,
next steps and repeat contact, and for little else. Now that they are tuned to it too, it says nothing any more; the 5th
set, of the same kind, does. Its recall over all signals was 0.70 before the rules were tuned to the second batch and 0.73
after. Repeat contact was found there in one call of six, before and after. Ten labels of the second batch were corrected after that
reading; the table is of the labels as first written.

${table(
  ['Signal', 'Present', 'Version 3: precision', 'Recall', 'Tuned to the first batch: precision', 'Recall'],
  BEFORE_TUNING.map(([key, ...cells]) => [`\`sig.${key}\``, ...cells]),
)}

The second batch's reason for the call was right in 17 of 30 both times.

### What they still get wrong

Where the rules and the labels differ in the calls the rules were tuned to:

${wrongTable(support.tuned)}

## Calls of ten trades

${tradeCalls.length} calls of travel, hotels, tickets, restaurants, insurance, government, health, retail, utilities and telecom stand in
\`test/evaluation/trades.ndjson\`: with the state of every signal, what came of the call, and of ${trades[0].pairs.of + trades[1].pairs.of} stories two calls of which one went better.
Among them are agents who say the phrases and do nothing, sarcasm, contested claims, thanks after a refusal, balances given to
third parties, voicemails, wrong numbers, silent lines, and transcripts with the speakers swapped. One hand wrote and labelled them
before it had read the rules, and halved them by the hash of the story (a test holds them to that). For the last step the rules were
tuned to the calls of the first half. They were never changed for a call of the other; but its totals decided twice between two forms of a rule, its figures are printed below, and the hand
that tuned the rules had written it: it is less than untouched, and another hand's calls may fare worse.

${tradesTable()}

Resolution: the chance that of two calls, one resolved and one not, the first has the higher dimension \`resolution\`. Not scored: of
the calls in which there is nothing to score, those that got no score.

How far the bars of the untouched half are:

${barsTable()}

**Recall, pairs and what is not scored reach their bars; precision, reasons and resolution do not.** The last step shows what carries over and what does not. What does is
where the rules follow how a call is built: the company is what an agent's greeting begins with, written like a name, wherever the record
names none (recall of the company on the untouched half 0.79 → 0.97, one found falsely). What does not is wordings: those
for reasons brought 16 of 17 missed ones of the tuned half and 2 of 21 of the other; phrases that make void took 13 of 35 false finds of the tuned half and none of the
other. Reasons are missed for want of words, not of place: taking the reason of the customer's first turn that has one, before the table's order, named one
fewer in the tuned half and one fewer in the calls of \`gold.ndjson\`. Precision is short by some 20
false finds of 500, spread over 20 signals; of some of them (next steps, closings, words of willingness) the hands that label differ: "thank you, goodbye" is courteous to one
and not to another. A [language model](model-evaluator.md) is the way beyond.

A call without turn times has no signals of times any more; the labels of \`gold.ndjson\` call them unclear, which is three labels less right for
each such call.

With 95 % intervals (Wilson), tuned half and untouched half:

${tradesBySignal()}

${tradesByTrade()}

### What ordinary calls must not show

\`test/evaluation/background.txt\` holds what people say in such calls when nothing is the matter; ${background.calls} calls of ${background.turns.toLocaleString('en')} turns are made of it, in
which none of these signals is. A test holds each to 1 % of the calls.

${table(
  ['Signal', 'Found before', 'Now'],
  background.rows.map(({ key, alarms }) => [codeOf(key), ALARMS_BEFORE[key] ?? 0, alarms]),
)}

### Signals to choose

${chosenSentences.length} sentences and short exchanges are in \`test/evaluation/catalog-ways.txt\`, each labelled as showing one of the ${chosenSignals.length} [signals to choose](signals.md), or as only sounding like
it. They were written before the phrases, by the hand that then wrote these, and halved by the hash of the line: no phrase was changed because of the
untouched half, but who writes both knows both. **Take the table for what the phrases were meant to find, not for how much of it other people say in these words.**

${chosenTable()}

What speaks for them more: in 435 labelled calls that the rules are tuned to, nine in ten by other hands and for other purposes, they found 295 things, after what was wrong at
first had been mended. What was found of rare signals was read whole, of frequent ones a part: some 8 show something else. In the 800 ordinary calls none is found in more than 1 %, but for what is rightly found there: ${chosenOrdinary()}.

### How sure it is

What [confidence](evaluation.md#how-much-of-it-and-how-sure) says, against what is right, in calls that nobody tunes to: the five sets held out and the
untouched half of ten trades. It was measured on the first half of the ten trades (72 calls) when nothing was tuned to these yet; since the rules are, a share only ever
falls, for more is right of those calls now than of others. The calls below changed nothing. A signal is right where its state is the labelled one; absent and not applicable count as the same. In brackets 95 % intervals (Wilson).
The calls held out are easier than those of ten trades: confidence says too little of what is present there, so that one number would be off by less. It says too
much of what is absent, at 0.89 in the calls held out and at 0.70 in those of ten trades: the rules miss more than they falsely find.

${table(['Set', 'State', 'Confidence, mean', 'Signals', 'Right'], sureRows())}

What is left of the signals found present by a least confidence, how much of it is right, and the mean square by which confidence is
off, beside that of one number for every signal of the set, the right one:

${table(['Set', 'All', '0.8 and more', '0.9 and more', '0.95 and more', 'Off by : one number'], filterRows())}

### What a second opinion is worth

A second opinion on a signal is learnt from labels (\`src/evaluation/distil/\`), here from those of these calls, and judged on calls it was not learnt from
(five parts, each by a fit to the others). The figures are of the signals with ${FEWEST_LABELS} labels of either kind that words decide; in brackets 95 % intervals (Wilson).

${table(
  ['Set', 'Calls', 'Signals', 'Precision', 'Of the rules', 'Recall', 'Of the rules', 'Told beside the rules'],
  opinionTotals(),
)}

**With a few hundred labels it hears less than the rules do**, in calls the rules were never tuned to as well: what it learns is these
few hundred calls' wordings, and it knows none of the 3,000 phrases. So it is told of few signals here, and only where labels sided with it. It is for projects whose calls the rules
misread, with labels by people or a language model that say so. What it learns by, runs of two words, one before, and how closely it fits, was chosen on the calls
the rules are tuned to; the others were looked at once, when that stood, and changed nothing.

Calls nobody tunes to. \`Finds\` is of the calls in which it is sure of a signal that the rules don't find, \`doubts\` of those in which it is sure that what they find is
not there: how many labels say so too.

${table(
  ['Signal', 'Present', 'Precision', 'Of the rules', 'Recall', 'Of the rules', 'Kappa', 'Finds', 'Doubts', 'Told'],
  opinions[1].tried.map(opinionCells),
)}

## Calls in German and Spanish

${languages.map(({ name, language, tuned, untouched }) => `${tuned.calls.calls + untouched.calls.calls} calls in ${name} (\`calls-${language}.ndjson\`)`).join(' and ')} of the same trades, and single sentences (\`ways-de.txt\`, \`ways-es.txt\`), are in
\`test/evaluation/\`: written and labelled before the rubrics of these languages, by the hand that then wrote these, and halved by the hash of the name. No phrase
was changed for one of the untouched half, of which only totals were looked at. But who wrote the calls knew them, of both halves, when writing the phrases, and the
Spanish calls tell the stories of the German ones: **take these figures for what the rubrics were meant to hear. Strangers' calls fare worse**; in English, recall on
calls of hands that had not read the rules was 0.1 and more lower.

${languagesTable()}

Sentences: those heard as they have to be. In ordinary calls (\`background-de.txt\`, \`background-es.txt\`), signals that are in none were found ${languagesAlarms()}.

${languages.map(one => `### By signal, in ${one.name}\n\n${languageBySignal(one)}`).join('\n\n')}

## Hand-written sales calls

${sales.tuned.calls + sales.third.calls} sales calls are in \`test/evaluation/sales-gold.ndjson\`, labelled for every signal of the \`sales-calls\` rubric. To ${sales.tuned.calls} of them its wordings were tuned; before that, recall was below 0.9 for 17 of its 25 signals. ${sales.third.calls} were held
out, too few to say much of one signal: ${agreedOf(sales.third)} agree there, against ${agreedOf(sales.tuned)} of the others. One hand wrote
the calls, the labels and the wordings: expect less of real ones.

${goldTable(sales, ['tuned', 'third'])}

The driver is right in ${reasonOf(sales.tuned)}, held out in ${reasonOf(sales.third)}. Where the rules and the labels differ in the calls they were tuned to:

${wrongTable(sales.tuned)}

### Sales calls of another hand

${salesFresh.calls} more (\`test/evaluation/sales-fresh.ndjson\`) were written by a hand that knew what the signals mean and not the wordings, and labelled before it saw what is made of
them. Nothing was changed because of them. They say what to expect of calls nobody tuned to, and give the signals that only \`sales-calls\` has their
confidence: precision ${totalsOf(salesFresh)[0].toFixed(2)}, recall ${totalsOf(salesFresh)[1].toFixed(2)}, the driver right in ${salesFresh.drivers.right} of ${salesFresh.drivers.of}. What is found is there; much is not found, least of all what varies most in
its wording: what the customer gains, objections and their answers.

${table(
  ['Signal', 'Precision', 'Recall', 'Present'],
  salesFresh.rows.map(row => [codeOf(row.key), ...cellsOf(row).slice(0, 3)]),
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
- **Interruptions.** Whatever the agent says while the customer still speaks counts as one, but for a turn of no more than "okay" or "mhm": ${idsWhere(is('agent_interrupts', 'present'))}.
- **Trouble.** A lost card counts as trouble, and empathy is expected; in ${count(is('empathy_shown', 'absent'))} of ${count(({ states }) => states.has('sig.empathy_shown'))} such calls none is heard, and a
  listener may find that right for a call of a minute.
- **Turns nobody understood** lower trust below high in ${count(lost)} calls: ${idsWhere(lost)}.
`

writeFileSync(PAGE, (await format(PAGE, page)).code)
console.log(`${PAGE}: ${calls.length} calls, driver right in ${right.length}`)
