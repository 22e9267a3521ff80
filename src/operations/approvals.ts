import { z } from 'zod'
import type { Approvals } from '../access/approvals.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { approval } from '../store/records/approval.js'
import { operation } from './operation.js'
import type { Services } from './services.js'

const APPROVALS = '/projects/:project_id/approvals'

/** What waits, as whoever lists it is told of it. */
export const listedApproval = approval.view.extend({
  own: z.boolean().meta({ description: 'Whether it is you who asked, and so can’t confirm it' }),
})

const on = ({ approvals }: Pick<Services, 'approvals'>, id: string): Approvals => {
  // Where nothing waits, none is there.
  if (approvals === undefined) throw new Problem('not_found', `Approval not found: ${echo(id)}`)
  return approvals
}

export const listApprovals = operation({
  method: 'GET',
  url: APPROVALS,
  access: 'project_admin',
  summary: 'List what waits for a second administrator',
  description:
    'With EARSHOT_FOUR_EYES erasing, exporting everything and full-project keys wait for a second administrator, for 24 hours.',
  table: 'approvals',
  answer: z.strictObject({ approvals: z.array(listedApproval) }),
  run: async ({ approvals, projects }, request, { subject }) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const waiting = (await approvals?.list(projectId)) ?? []
    return { approvals: waiting.map(one => ({ ...approval.show(one), own: one.requested_subject === subject })) }
  },
})

export const confirmApproval = operation({
  method: 'POST',
  url: `${APPROVALS}/:approval_id/confirm`,
  access: 'project_admin',
  summary: 'Confirm what another administrator asked for',
  description:
    'Who asked for it can’t confirm it, whatever token they show. It is done when they ask for it again, once.',
  answer: approval.view,
  run: async (services, request, { subject, name }) => {
    const { project_id: projectId } = services.projects.get(request.param('project_id'))
    const id = request.param('approval_id')
    return approval.show(await on(services, id).confirm(projectId, id, { subject, name }))
  },
})

export const refuseApproval = operation({
  method: 'DELETE',
  url: `${APPROVALS}/:approval_id`,
  access: 'project_admin',
  summary: 'Refuse, or take back, what was asked for',
  answer: approval.view,
  run: async (services, request) => {
    const { project_id: projectId } = services.projects.get(request.param('project_id'))
    const id = request.param('approval_id')
    return approval.show(await on(services, id).refuse(projectId, id))
  },
})

export const approvalOperations = [listApprovals, confirmApproval, refuseApproval] as const
