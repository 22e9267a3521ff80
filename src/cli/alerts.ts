import type { z } from 'zod'
import type { Alert } from '../events/alerts/alert.js'
import { type AlertCondition, alertCondition } from '../events/alerts/alert-condition.js'
import { newAlert } from '../events/alerts/alert-fields.js'
import { addAlert, changeAlert, getAlert, listAlerts, removeAlert } from '../operations/alerts.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'
import { UsageError } from './usage-error.js'

const words = { alert_id: 'Alert, as "alerts list" shows it' }

const [signalPresent, scoreBelow, changeFound] = alertCondition.options

/** What can be said of a new alert: the fields of all conditions, of which one names the kind that is meant. */
const line = newAlert
  .omit({ condition: true })
  .extend(signalPresent.omit({ kind: true }).partial().shape)
  .extend(scoreBelow.omit({ kind: true }).partial().shape)
  .extend(changeFound.omit({ kind: true }).extend({ period: changeFound.shape.period.unwrap() }).partial().shape)

const add = operationCommand({
  command: 'add',
  describe: 'Add an alert: a signal, a score or a change',
  operation: addAlert,
  line,
  spelled: { agents: 'agent', signal_key: 'signal', threshold: 'score-below', period: 'change' },
  read: ({ name, agents, cooldown_seconds, ...condition }) => ({
    name,
    agents,
    cooldown_seconds,
    condition: conditionOf(condition),
  }),
  examples: [
    ['alerts add --project demo --name Escalations --signal sig.escalation', ''],
    ['alerts add --project demo --name "Poor calls" --score-below 2 --agent "Sam Lee"', ''],
  ],
  text: alertLines,
})

function conditionOf({ signal_key, threshold, period, measure, ...change }: Partial<z.input<typeof line>>): object {
  if ([signal_key, threshold, period].filter(named => named !== undefined).length !== 1) {
    throw new UsageError('Name one of --signal, --score-below and --change')
  }
  if (signal_key !== undefined) return { kind: 'signal_present', signal_key }
  if (threshold !== undefined) return { kind: 'score_below', threshold, measure }
  return { kind: 'change_found', period, ...change }
}

const list = operationCommand({
  command: 'list',
  describe: 'List the alerts of a project',
  operation: listAlerts,
  examples: [['alerts list --project shop', '']],
  text: ({ alerts }) =>
    table(
      ['Alert', 'Name', 'Condition', 'Agents', 'Active', 'Last triggered'],
      alerts.map(one => [
        one.alert_id,
        one.name,
        conditionText(one.condition),
        one.agents.join(', '),
        one.active ? 'yes' : 'no',
        one.last_triggered_at ?? '',
      ]),
    ),
})

const show = operationCommand({
  command: 'show <alert_id>',
  describe: 'Show an alert',
  operation: getAlert,
  words,
  examples: [['alerts show alert_7f3a --project shop', '']],
  text: alertLines,
})

const set = operationCommand({
  command: 'set <alert_id>',
  describe: 'Change an alert, pause it or let it go on',
  operation: changeAlert,
  words,
  without: ['condition'],
  spelled: { agents: 'agent' },
  examples: [['alerts set alert_7f3a --no-active --project shop', '']],
  text: alertLines,
})

const remove = operationCommand({
  command: 'remove <alert_id>',
  describe: 'Remove an alert',
  operation: removeAlert,
  words,
  run: async (ask, fields) => {
    await ask(removeAlert, fields)
    return { ...fields, removed: true }
  },
  examples: [['alerts remove alert_7f3a --project shop', '']],
  text: (_, __, said) => `${String(said['alert_id'])} is removed\n`,
})

/** `earshot alerts …` */
export const alertsCommand = commandGroup({
  name: 'alerts',
  describe: 'Alerts: what in calls raises the event alert.triggered',
  commands: yargs => yargs.command(add).command(list).command(show).command(set).command(remove),
  example: 'list --project shop',
})

/** An alert for a reader. */
function alertLines(alert: Alert): string {
  return [
    `Alert            ${alert.alert_id}`,
    `Name             ${alert.name}`,
    `Project          ${alert.project_id}`,
    `Condition        ${conditionText(alert.condition)}`,
    `Agents           ${alert.agents.length === 0 ? 'all' : alert.agents.join(', ')}`,
    `Cooldown         ${alert.cooldown_seconds} s`,
    `Active           ${alert.active ? 'yes' : 'no'}`,
    `Last triggered   ${alert.last_triggered_at ?? 'never'}`,
    `Created          ${alert.created_at} by ${alert.created_by}`,
    '',
  ].join('\n')
}

/** A condition in words. */
function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'signal_present':
      return `signal ${condition.signal_key} is present`
    case 'score_below':
      return `${condition.measure} is below ${condition.threshold}`
    case 'change_found': {
      const what = [condition.category, condition.key, condition.direction].filter(one => one !== undefined)
      return `a change in ${condition.period}${what.length === 0 ? '' : ` (${what.join(', ')})`}, significance ${condition.significance}`
    }
  }
}
