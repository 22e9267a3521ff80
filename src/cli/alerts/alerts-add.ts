import { globalFlags } from '../global-options.js'
import { addAlert } from '../../operations/alerts.js'
import { parseOptions } from '../parse-options.js'
import { newAlert } from '../../events/alerts/alert-fields.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { UsageError } from '../usage-error.js'
import { withClient } from '../with-client.js'
import { alertLines } from './alert-lines.js'

const options = {
  name: { ...textOption('Label of the alert, 1 to 120 characters'), demandOption: true },
  signal: textOption('Triggered by a call in which this signal is present, such as sig.escalation'),
  'score-below': { type: 'number', requiresArg: true, description: 'Triggered by a call with a score below this' },
  measure: textOption('The score meant by --score-below: score (the default) or predicted_csat'),
  change: textOption('Triggered by a change in a period such as "last 7 days", as detect_changes finds it'),
  category: textOption('With --change: signals, scores, agents, drivers, dimensions or guidance'),
  key: textOption('With --change: only this signal, score, driver …'),
  direction: textOption('With --change: up, down, new or gone'),
  significance: textOption('With --change: the least that counts: high (the default), medium or low'),
  agent: { type: 'array', string: true, requiresArg: true, description: 'Agent it is about; repeatable; else all' },
  'cooldown-seconds': {
    type: 'number',
    requiresArg: true,
    description: 'After it was triggered it is silent so long (default: 3600)',
  },
} as const

/** `earshot alerts add` */
export const alertsAddCommand = defineCommand({
  command: 'add',
  describe: 'Add an alert: a signal, a score or a change',
  builder: yargs =>
    yargs
      .options({ ...projectOption, ...options })
      .example('$0 alerts add --project demo --name Escalations --signal sig.escalation', '')
      .example('$0 alerts add --project demo --name "Poor calls" --score-below 2 --agent "Sam Lee"', ''),
  handler: async args => {
    const kinds = [args.signal, args.scoreBelow, args.change].filter(kind => kind !== undefined)
    if (kinds.length !== 1) throw new UsageError('Name one of --signal, --score-below and --change')
    const { name, agent: agents, cooldownSeconds: cooldown_seconds } = args
    const fields = parseOptions(newAlert, { name, condition: conditionOf(args), agents, cooldown_seconds })
    const added = await withClient(globalFlags(args), client =>
      client.run(addAlert, { project: args.project, body: fields }),
    )
    await print(args.json, added, () => alertLines(added))
  },
})

interface Written {
  readonly signal?: string | undefined
  readonly scoreBelow?: number | undefined
  readonly measure?: string | undefined
  readonly change?: string | undefined
  readonly category?: string | undefined
  readonly key?: string | undefined
  readonly direction?: string | undefined
  readonly significance?: string | undefined
}

function conditionOf({ signal, scoreBelow, measure, change, category, key, direction, significance }: Written): object {
  if (signal !== undefined) return { kind: 'signal_present', signal_key: signal }
  if (scoreBelow !== undefined) return { kind: 'score_below', threshold: scoreBelow, measure }
  return { kind: 'change_found', period: change, category, key, direction, significance }
}
