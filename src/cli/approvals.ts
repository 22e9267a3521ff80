import { confirmApproval, listApprovals, refuseApproval } from '../operations/approvals.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const list = operationCommand({
  command: 'list',
  describe: 'List what waits for a second administrator',
  operation: listApprovals,
  examples: [['approvals list --project shop', '']],
  text: ({ approvals }) =>
    table(
      ['Approval', 'Action', 'Asked', 'By', 'Until', 'Confirmed by'],
      approvals.map(one => [
        one.approval_id,
        one.action,
        one.asked,
        one.requested_by,
        one.expires_at,
        one.confirmed_by ?? '',
      ]),
    ),
})

const confirm = operationCommand({
  command: 'confirm <approval_id>',
  describe: 'Confirm, as the operator, what an administrator asked for',
  operation: confirmApproval,
  words: { approval_id: 'Id of the approval (approval_id)' },
  examples: [['approvals confirm appr_19fa --project shop', '']],
  text: one =>
    `Confirmed ${one.approval_id} (${one.action}): ${one.requested_by} asks for it again by ${one.expires_at}.\n`,
})

const refuse = operationCommand({
  command: 'refuse <approval_id>',
  describe: 'Refuse, or take back, what was asked for',
  operation: refuseApproval,
  words: { approval_id: 'Id of the approval (approval_id)' },
  examples: [['approvals refuse appr_19fa --project shop', '']],
  text: one => `Refused ${one.approval_id} (${one.action}).\n`,
})

/** `earshot approvals …` */
export const approvalsCommand = commandGroup({
  name: 'approvals',
  describe: 'What waits for a second administrator, with EARSHOT_FOUR_EYES',
  commands: yargs => yargs.command(list).command(confirm).command(refuse),
  example: 'list --project shop',
})
