import { listErasures, listHolds, placeHold, releaseHold } from '../operations/privacy.js'
import type { HoldRecord } from '../store/records/hold.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

function whatOf({ session_ids: ids, customer, field, value }: HoldRecord): string {
  if (customer !== undefined) return `customer ${customer}`
  return field === undefined ? `${ids?.length ?? 0} calls by id` : `${field} = ${value ?? ''}`
}

const list = operationCommand({
  command: 'list',
  describe: 'List the legal holds of a project',
  operation: listHolds,
  examples: [['holds list --project shop', '']],
  text: ({ holds }) =>
    table(
      ['Hold', 'Name', 'Of', 'Calls now', 'Placed', 'By'],
      holds.map(one => [one.hold_id, one.name, whatOf(one), String(one.calls), one.created_at, one.created_by]),
    ),
})

const place = operationCommand({
  command: 'place',
  describe: 'Keep calls from being erased, on request and by retention',
  operation: placeHold,
  spelled: { session_ids: 'call' },
  examples: [
    ['holds place --name "Matter 24-117" --customer "Arden Quigley" --project shop', 'also calls that come later'],
    ['holds place --name "Matter 24-117" --call 051f930be6c1fe65 --project shop', ''],
  ],
  text: one => `Placed ${one.hold_id} (${one.name}): ${whatOf(one)}, ${one.calls} calls now.\n`,
})

const release = operationCommand({
  command: 'release <hold_id>',
  describe: 'Release a legal hold',
  operation: releaseHold,
  words: { hold_id: 'Id of the hold (hold_id)' },
  examples: [['holds release hold_19fa --project shop', '']],
  text: one => `Released ${one.hold_id} (${one.name}).\n`,
})

/** `earshot holds …` */
export const holdsCommand = commandGroup({
  name: 'holds',
  describe: 'Legal holds: calls that are neither erased nor retired',
  commands: yargs => yargs.command(list).command(place).command(release),
  example: 'list --project shop',
})

/** `earshot erasures`: that calls were erased, and never which. */
export const erasuresCommand = operationCommand({
  command: 'erasures',
  describe: 'List when calls were erased, how many and by whom; never which',
  operation: listErasures,
  examples: [['erasures --project shop', '']],
  text: ({ erasures }) =>
    table(
      ['Erased', 'Calls', 'How', 'By'],
      erasures.map(one => [one.erased_at, String(one.calls), one.how, one.erased_by]),
    ),
})
