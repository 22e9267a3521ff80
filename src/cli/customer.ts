import { eraseCustomer, findCustomer, reportCustomer } from '../operations/privacy.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const list = operationCommand({
  command: 'list',
  describe: 'List the calls of a customer, before they are erased',
  operation: findCustomer,
  examples: [
    ['customer list --customer "Arden Quigley" --project shop', ''],
    ['customer list --field crm_id --value 4711 --project shop', 'by a field of session_metadata'],
  ],
  text: ({ calls, count, held, confirm }) => {
    if (count === 0) return 'No call is of this customer.\n'
    const rows = calls.map(one => [one.session_id, one.created_dt, one.agent_name, one.held ? 'held' : ''])
    const more = count > calls.length ? `and ${count - calls.length} more\n` : ''
    const kept = held === 0 ? '' : `${held} of them are under a legal hold and stay.\n`
    return `${table(['Call', 'Began', 'Agent', 'Hold'], rows)}${more}${kept}To erase ${count === 1 ? 'it' : `these ${count} calls`}: earshot customer erase, the same customer, and --confirm ${confirm}\n`
  },
})

const report = operationCommand({
  command: 'report',
  describe: 'Report all about one customer: calls whole, and feedback on them',
  operation: reportCustomer,
  examples: [['customer report --customer "Arden Quigley" --project shop --json > arden.json', '']],
  text: ({ calls, count }) =>
    `${table(
      ['Call', 'Began', 'Agent', 'Feedback'],
      calls.map(({ call, feedback }) => [call.session_id, call.created_dt, call.agent_name, String(feedback.length)]),
    )}${count} calls; --json gives them whole\n`,
})

const erase = operationCommand({
  command: 'erase',
  describe: 'Erase the calls of a customer that were listed, for good',
  operation: eraseCustomer,
  examples: [['customer erase --customer "Arden Quigley" --confirm 5dXc0mRr4Qx1bJ0aPfLh2g --project shop', '']],
  text: ({ erased, held }) =>
    `${erased} ${erased === 1 ? 'call' : 'calls'} erased${held === 0 ? '' : `, ${held} are under a legal hold and stay`}. Backups made before, exports and the files they were imported from may still hold them: docs/privacy.md.\n`,
})

/** `earshot customer …` */
export const customerCommand = commandGroup({
  name: 'customer',
  describe: 'All calls of one customer: list, report, erase',
  commands: yargs => yargs.command(list).command(report).command(erase),
  example: 'list --customer "Arden Quigley" --project shop',
})
