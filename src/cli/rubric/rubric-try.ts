import { tryRubricOnCalls } from '../../operations/rubrics.js'
import type { RubricTrial } from '../../questions/try-rubric.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { percent } from '../figures.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { givenOptions, givenRubric } from './given-rubric.js'

/** Most changed signals named in a row. */
const NAMED = 3

/** `earshot rubric try` */
export const rubricTryCommand = defineCommand({
  command: 'try [file]',
  describe: 'Show old against new scores on a sample of calls; nothing is saved',
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', description: 'YAML or JSON' })
      .options({
        ...projectOption,
        ...givenOptions,
        sample: { type: 'number', default: 50, requiresArg: true, description: 'Calls to try it on, 1–500' },
      })
      .example('$0 rubric try rubric.yaml --project shop', 'what it would change'),
  handler: async args => {
    const given = await givenRubric(args.file, args.builtIn)
    const trial = await withClient(globalFlags(args), client =>
      client.run(tryRubricOnCalls, { project: args.project, body: { ...given, sample: args.sample } }),
    )
    await print(args.json, trial, () => linesOf(trial))
  },
})

function linesOf({ rubric, summary, calls, labels }: RubricTrial): string {
  const shown = (score: number | undefined) => score?.toFixed(1) ?? '–'
  const rows = calls.map(call => [
    call.session_id,
    shown(call.old_score),
    shown(call.new_score),
    shown(call.old_csat),
    shown(call.new_csat),
    call.none ?? signalsText(call.changed_signals),
  ])
  const average = (value: number | undefined) => value?.toFixed(2) ?? '–'
  return [
    table(['Call', 'Score', 'New', 'CSAT', 'New', 'Signals that change'], rows),
    `${rubric} on ${summary.calls} calls: ${summary.evaluated} evaluated; of ${summary.compared} scored before and now ${summary.higher} higher, ${summary.lower} lower, ${summary.same} the same.`,
    ...(labels === undefined ? [] : judgedLines(labels)),
    `Average score ${average(summary.average_old)} before, ${average(summary.average_new)} now. Nothing was saved.`,
    '',
  ].join('\n')
}

function judgedLines({ judged, right_before, right_now, signals, worse }: NonNullable<RubricTrial['labels']>) {
  const lost = worse.slice(0, NAMED).map(one => `${one.signal_key} of ${one.session_id}`)
  const more = worse.length > NAMED ? ` and ${worse.length - NAMED} more` : ''
  const rows = signals.map(one => [
    one.signal_key.replace(/^sig\./, ''),
    String(one.judged),
    `${one.right_before} → ${one.right_now}`,
    `${percent(one.precision_before)} → ${percent(one.precision_now)}`,
  ])
  return [
    table(['Signal', 'Judged', 'Right', 'Precision'], rows),
    `Of ${judged} signals that people judged ${right_before} are right as stored, ${right_now} by this rubric${lost.length === 0 ? '' : `; not any more: ${lost.join(', ')}${more}`}.`,
  ]
}

function signalsText(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).map(key => key.replace(/^sig\./, ''))
  return keys.length > NAMED ? `${named.join(', ')} and ${keys.length - NAMED} more` : named.join(', ')
}
