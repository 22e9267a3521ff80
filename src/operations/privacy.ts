import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { callRecord } from '../calls/call-record.js'
import { eraseCalls } from '../ingest/erase-calls.js'
import { sessionId } from '../questions/arguments.js'
import { getInteraction } from '../questions/get-interaction.js'
import type { CustomerCall } from '../store/privacy-store.js'
import { feedback } from '../store/records/feedback.js'
import { type CustomerChoice, erasure, hold } from '../store/records/hold.js'
import { operation } from './operation.js'

/** Calls that a listing names; it counts all. */
const MOST_LISTED = 1_000
/** Calls of one report. */
const MOST_REPORTED = 1_000
/** Calls taken out of the store in one go: between two, other writes get their turn. */
const BATCH_CALLS = 500

const chosen = {
  customer: printable(500).optional().describe('Name of the customer, as calls show it, in whatever case'),
  field: z
    .string()
    .regex(/^[\w .:-]{1,100}$/, 'must be the name of a field, of letters, digits, blanks and _ . : -')
    .optional()
    .describe('In place of a name: a field of session_metadata'),
  value: printable(500).optional().describe('What that field says, in whatever case'),
}

const isOne = ({ customer, field, value }: CustomerChoice): boolean =>
  (customer === undefined) !== (field === undefined) && (field === undefined) === (value === undefined)
const oneOf = { path: ['customer'], error: 'is required, or field and value in its place' }

const choice = z.strictObject(chosen).refine(isOne, oneOf)
const confirmed = z
  .strictObject({
    ...chosen,
    confirm: z.string().min(1).max(100).describe('What the listing said; it holds for the calls that were listed'),
  })
  .refine(isOne, oneOf)

const example = { body: { customer: 'Arden Quigley' } }
const WHO = 'By the name that calls show, or by a field of session_metadata that says it.'

const listed = z.strictObject({
  calls: z.array(
    z.strictObject({ session_id: z.string(), agent_name: z.string(), created_dt: z.string(), held: z.boolean() }),
  ),
  count: z.int().meta({ description: `All of them; ${MOST_LISTED} are listed at most, the oldest` }),
  held: z.int().meta({ description: 'Of these, under a legal hold: they are not erased' }),
  confirm: z.string().meta({ description: 'Erases just these calls: what is not the same any more is refused' }),
})

/** Stands for a list of calls and which of them are held. */
function confirmationOf(calls: readonly CustomerCall[]): string {
  const hash = createHash('sha256')
  for (const { session_id: id, held } of calls) hash.update(JSON.stringify([id, held]))
  return hash.digest('base64url').slice(0, 22)
}

export const findCustomer = operation({
  method: 'POST',
  url: '/api/v1/customers/find',
  access: 'overseer',
  reads: true,
  summary: 'List the calls of a customer',
  description: `${WHO} Another person may have the name: read what is listed before you erase.`,
  example,
  body: choice,
  answer: listed,
  run: async ({ store }, request, { project_id: projectId }) => {
    const calls = await store.privacy.callsOf(projectId, request.body())
    return {
      calls: calls.slice(0, MOST_LISTED),
      count: calls.length,
      held: calls.filter(({ held }) => held).length,
      confirm: confirmationOf(calls),
    }
  },
})

export const eraseCustomer = operation({
  method: 'POST',
  url: '/api/v1/customers/erase',
  access: 'overseer',
  secondPerson: true,
  summary: 'Erase the calls of a customer',
  description: `Erases what was listed, but for calls under a legal hold, for good, as erasing a call does. ${WHO}`,
  conflicts: 'The calls are others than those that were listed',
  example: { body: { ...example.body, confirm: 'from-the-listing' } },
  body: confirmed,
  answer: z.strictObject({ erased: z.int(), held: z.int() }),
  rows: answer => (answer as { erased: number }).erased,
  run: async (
    { store: { calls, privacy }, events, reports, recordings, projects },
    request,
    { project_id: projectId, app_name: by },
  ) => {
    const { confirm, ...who } = request.body()
    const found = await privacy.callsOf(projectId, who)
    if (confirmationOf(found) !== confirm)
      throw new Problem('conflict', 'These are not the calls that were listed: list them again, and read what is new')
    const free = found.filter(({ held }) => !held).map(({ session_id: id }) => id)
    const parts = { calls, privacy, events, reports, recordings }
    const eraseAll = async (): Promise<number> => {
      let erased = 0
      for (let from = 0; from < free.length; from += BATCH_CALLS) {
        const ids = free.slice(from, from + BATCH_CALLS)
        // oxlint-disable-next-line no-await-in-loop -- a batch at a time, so that others may write
        erased += await eraseCalls(parts, projectId, ids, { by, how: 'customer' })
      }
      return erased
    }
    const erased = await projects.takingAway(projectId, eraseAll, count => count > 0)
    return { erased, held: found.length - free.length }
  },
})

export const reportCustomer = operation({
  method: 'POST',
  url: '/api/v1/customers/report',
  access: 'overseer',
  reads: true,
  summary: 'Report all about one customer',
  description: `Every call whole, with the feedback on it: what a person is given who asks what is kept about them. ${WHO} What others said in a call is in it too.`,
  example,
  body: choice,
  answer: z.strictObject({
    made_at: z.string(),
    calls: z.array(z.strictObject({ call: callRecord, held: z.boolean(), feedback: z.array(feedback.view) })),
    count: z.int(),
  }),
  run: async (services, request, caller) => {
    const found = await services.store.privacy.callsOf(caller.project_id, request.body())
    if (found.length > MOST_REPORTED) {
      throw new Problem(
        'too_large',
        `${found.length} calls are of this customer, and a report has ${MOST_REPORTED} at most; read them with the export`,
      )
    }
    const calls = []
    for (const { session_id: id, held } of found) {
      request.signal.throwIfAborted()
      // oxlint-disable-next-line no-await-in-loop -- one at a time: nobody waits behind a long report
      const call = await services.answering.answer(getInteraction, caller, { interaction_id: id }, request)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const given = (await services.events.feedback(caller.project_id, id)).map(one => feedback.show(one))
      calls.push({ call: call as z.output<typeof callRecord>, held, feedback: given })
    }
    return { made_at: new Date().toISOString(), calls, count: calls.length }
  },
})

const HOLDS = '/api/v1/holds'

const newHold = z
  .strictObject({
    name: label(120).describe('What it is for, such as a matter’s number'),
    ...chosen,
    session_ids: z.array(sessionId).min(1).max(10_000).optional().describe('In place of a customer: these calls'),
  })
  .refine(
    one => (one.session_ids === undefined ? isOne(one) : (one.customer ?? one.field ?? one.value) === undefined),
    {
      path: ['session_ids'],
      error: 'is required, or customer, or field and value: one of the three',
    },
  )

const shownHold = hold.view.extend({ calls: z.int().meta({ description: 'Calls it keeps now' }) })

export const listHolds = operation({
  method: 'GET',
  url: HOLDS,
  access: 'administrator',
  summary: 'List legal holds',
  table: 'holds',
  answer: z.strictObject({ holds: z.array(shownHold) }),
  run: async ({ store: { privacy } }, _, { project_id: projectId }) => {
    const all = await privacy.holds(projectId)
    return {
      holds: await Promise.all(
        all.map(async one => ({ ...hold.show(one), calls: await privacy.heldBy(projectId, one.hold_id) })),
      ),
    }
  },
})

/** Holds of a project: each is looked at with every erasure. */
const MOST_HOLDS = 200

export const placeHold = operation({
  method: 'POST',
  url: HOLDS,
  access: 'administrator',
  summary: 'Place a legal hold',
  description:
    'What it names is neither erased on request nor by retention until it is released: calls by their ids, or all of a customer, later ones included.',
  conflicts: 'The project has as many holds as it may have',
  example: { body: { name: 'Matter 24-117', customer: 'Arden Quigley' } },
  status: 201,
  body: newHold,
  answer: shownHold,
  run: async ({ store: { privacy } }, request, { project_id: projectId, app_name: by }) => {
    const { name, session_ids: ids, customer, field, value } = request.body()
    const placed = {
      hold_id: `hold_${randomBytes(9).toString('hex')}`,
      project_id: projectId,
      name,
      ...(ids !== undefined && { session_ids: [...new Set(ids)] }),
      ...(customer !== undefined && { customer }),
      ...(field !== undefined && { field }),
      ...(value !== undefined && { value }),
      created_at: new Date().toISOString(),
      created_by: by,
    }
    if (!(await privacy.placeHold(placed, MOST_HOLDS)))
      throw new Problem('conflict', `The project has ${MOST_HOLDS} holds and may have no more`)
    return { ...hold.show(placed), calls: await privacy.heldBy(projectId, placed.hold_id) }
  },
})

export const releaseHold = operation({
  method: 'DELETE',
  url: `${HOLDS}/:hold_id`,
  access: 'administrator',
  summary: 'Release a legal hold',
  description: 'What no other hold keeps may be erased from then on.',
  answer: hold.view,
  run: async ({ store: { privacy } }, request, { project_id: projectId }) => {
    const id = request.param('hold_id')
    const released = await privacy.releaseHold(projectId, id)
    if (released === undefined) throw new Problem('not_found', `Hold not found: ${echo(id)}`)
    return hold.show(released)
  },
})

export const listErasures = operation({
  method: 'GET',
  url: '/api/v1/erasures',
  access: 'administrator',
  summary: 'List erasures',
  description: 'That calls were erased, when, how many, and by whom; never which. Newest first.',
  example: { query: { limit: 10 } },
  table: 'erasures',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(10_000).default(1_000) }),
  answer: z.strictObject({ erasures: z.array(erasure.view) }),
  run: async ({ store: { privacy } }, request, { project_id: projectId }) => ({
    erasures: (await privacy.erasures(projectId, request.query().limit)).map(erasure.show),
  }),
})

/** What a privacy office does: find, report and erase a customer; holds; the log of erasures. */
export const privacyOperations = [
  findCustomer,
  reportCustomer,
  eraseCustomer,
  listHolds,
  placeHold,
  releaseHold,
  listErasures,
] as const
