import { z } from 'zod'
import { canonicalJson } from '../access/canonical-json.js'
import type { Admin } from '../access/admin.js'
import { changedKey, rightsOf, sharedOf } from '../access/key-rights.js'
import type { Invitation } from '../access/keys.js'
import { keyPatch, keyRotation, newKey, newPerson } from '../access/key-fields.js'
import { isFullProject } from '../access/scope-of.js'
import { invitationUrl } from '../oauth/addresses.js'
import { connection } from '../oauth/connection.js'
import { addressRange, isWithin } from '../base/address-range.js'
import { badField } from '../base/bad-field.js'
import { echo } from '../base/text.js'
import { keyAsSeen, seenByKey } from '../questions/key-as-seen.js'
import { questions } from '../questions/questions.js'
import { restQuestions } from '../questions/rest-questions.js'
import {
  type ChangedKeyView,
  changedKeyView,
  invitedPerson,
  type KeyView,
  keyView,
  mintedKey,
  TEXT_ACCESS,
} from '../store/records/key.js'
import { type Operation, operation, type Received, requireSecondPerson } from './operation.js'
import type { Services } from './services.js'

/** @throws Problem `invalid_input` for a tool that is none, which would be refused for ever */
function known<Fields extends { readonly tools?: readonly string[] | null | undefined }>(fields: Fields): Fields {
  const unknown = fields.tools?.find(name => !names.has(name))
  if (unknown === undefined) return fields
  throw badField('tools', `there is no tool ${echo(unknown)}`, ': ')
}

const names: ReadonlySet<string> = new Set([...questions, ...Object.values(restQuestions)].map(({ name }) => name))

/** The key that a request names. @throws Problem `not_found` */
const named = ({ keys }: Pick<Services, 'keys'>, request: Received): Promise<KeyView> =>
  keys.getByNow(request.param('project_id' as never), request.param('key_id' as never))

/** Whether a key hears or may do more after a change, whichever agents it hears. Of roles any other counts: one may take away what it gives. */
function hearsMore(after: KeyView, before: KeyView): boolean {
  const { roles, is_supervisor: isSupervisor, text = 'full', min_group: group = 1, tools } = before
  return (
    (after.is_supervisor && !isSupervisor) ||
    canonicalJson(after.roles.toSorted()) !== canonicalJson(roles.toSorted()) ||
    TEXT_ACCESS.indexOf(after.text ?? 'full') > TEXT_ACCESS.indexOf(text) ||
    (after.min_group ?? 1) < group ||
    (tools !== undefined && after.tools?.every(name => tools.includes(name)) !== true) ||
    (before.read_only === true && after.read_only !== true) ||
    isBoundLess(after, before)
  )
}

/** What a key may have so much of. */
const AMOUNTS = ['requests_per_minute', 'questions_per_day', 'bytes_per_day', 'processor_seconds_per_day'] as const

/** Whether a change of a key of the full project, or to one, is one that a second administrator has to confirm. */
function isMore(after: KeyView, before: KeyView): boolean {
  return after.active && isFullProject(after) && (!isFullProject(before) || hearsMore(after, before))
}

/** Whether a key is accepted for longer or from more addresses, or may have more of something, after a change. */
function isBoundLess(after: KeyView, before: KeyView): boolean {
  return (
    endOf(after) > endOf(before) ||
    !areWithin(after.allowed_networks, before.allowed_networks) ||
    AMOUNTS.some(amount => (after[amount] ?? Infinity) > (before[amount] ?? Infinity))
  )
}

/** When a key ends, milliseconds since 1970. */
const endOf = ({ expires_at: end }: KeyView): number => (end === undefined ? Infinity : Date.parse(end))

/** Whether each network is in one of others; without any it is everywhere. */
function areWithin(networks: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
  if (others === undefined) return true
  const ranges = others.map(addressRange)
  return networks?.every(one => ranges.some(range => isWithin(addressRange(one), range))) === true
}

/**
 * Has a second administrator confirm what is asked of a key, where that is needed: with all that the key may do then, since what comes of
 * the request is up to what the key was.
 * @param before the key as it is, and behind it others that are changed with it
 * @param after the keys that come of them, where somebody has to confirm that
 * @returns the keys by which that was decided: it is done to these, and to none that was changed meanwhile; undefined where nobody
 *   confirms anything
 */
async function confirmedFor(
  asked: Pick<Operation, 'method' | 'url' | 'body'>,
  { services, request, admin }: { readonly services: Services; readonly request: Received; readonly admin: Admin },
  before: readonly KeyView[],
  after: readonly KeyView[] | undefined,
): Promise<readonly KeyView[] | undefined> {
  const { approvals } = services
  if (approvals === undefined) return undefined
  if (after !== undefined) {
    const [key, ...others] = after.map(rightsOf)
    await requireSecondPerson(approvals, asked, request, admin, { key, ...(others.length > 0 && { others }) })
  }
  return before
}

/** Says of a key that is revoked which of its rotation are not. */
function withStillAccepted({ keys }: Pick<Services, 'keys'>, key: KeyView): ChangedKeyView {
  const others = key.active ? [] : keys.acceptedBeside(key)
  if (others.length === 0) return key
  const still_accepted = others.map(({ key_id, name, key_preview, expires_at }) => ({
    key_id,
    name,
    ...(key_preview !== undefined && { key_preview }),
    ...(expires_at !== undefined && { expires_at }),
  }))
  return { ...key, still_accepted }
}

const ofFullProject = (key: KeyView): readonly KeyView[] | undefined => (isFullProject(key) ? [key] : undefined)

const KEYS = '/projects/:project_id/mcp-keys'
const KEY = `${KEYS}/:key_id`

const DAY_MS = 24 * 60 * 60 * 1_000

const listQuery = z.strictObject({
  include_revoked: z.boolean().default(false).meta({ description: 'Revoked keys too' }),
  unused: z
    .string()
    .regex(/^[1-9]\d{0,3}d$/, 'must be a number of days such as 90d')
    .optional()
    .meta({ description: 'Only keys that nobody has used for so many days, such as 90d; minted before that' }),
})

export const mintKey = operation({
  method: 'POST',
  url: KEYS,
  access: 'project_admin',
  secondPerson: (_, request) => isFullProject(newKey.parse(request.body())),
  summary: 'Mint an application key',
  example: {
    body: { name: 'Team North', roles: ['Supervisor'], allowed_agents: ['Ana Silva'], require_mapping: true },
  },
  description:
    'The key itself is in this answer only. What is left out takes its default, field by field: the whole project, with the role Admin.',
  conflicts: 'The project has as many active keys as it may have',
  answer: mintedKey,
  status: 201,
  body: newKey,
  run: ({ keys, projects }, request, admin) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    return keys.mint(projectId, known(request.body()), admin)
  },
})

export const listKeys = operation({
  method: 'GET',
  url: KEYS,
  access: 'project_admin',
  summary: 'List application keys',
  example: { query: { include_revoked: true } },
  description: 'Active keys; with include_revoked=true all of them.',
  table: 'keys',
  answer: z.strictObject({ keys: z.array(keyView) }),
  query: listQuery,
  run: ({ keys, projects }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { include_revoked: includeRevoked, unused } = request.query()
    const unusedMs = unused === undefined ? {} : { unusedMs: Number.parseInt(unused, 10) * DAY_MS }
    return { keys: keys.list(projectId, { includeRevoked, ...unusedMs }) }
  },
})

export const getKey = operation({
  method: 'GET',
  url: KEY,
  access: 'project_admin',
  summary: 'Get one application key',
  answer: keyView,
  run: (services, request) => named(services, request),
})

const CHANGE = { method: 'PATCH', url: KEY, body: keyPatch } as const

const CHANGED_MEANWHILE = 'With four eyes: the key was changed while this was asked for'

export const changeKey = operation({
  ...CHANGE,
  access: 'project_admin',
  summary: 'Change an application key',
  example: { body: { allowed_agents: ['Ana Silva', 'Ben Okafor'] } },
  description:
    'Holds from the key’s next request on, in the grace time of a rotation for both of its keys. What is left out stays; null takes a bound away (JSON Merge Patch, RFC 7396). `active: false` revokes this one for good.',
  conflicts: CHANGED_MEANWHILE,
  answer: changedKeyView,
  run: async (services, request, admin) => {
    const { project_id: projectId, key_id: keyId } = await named(services, request)
    const patch = known(request.body())
    const keys = services.keys.changedBy(projectId, keyId, patch)
    const after = keys.map((key, i) => changedKey(key, i === 0 ? patch : sharedOf(patch)))
    const isConfirmed = after.some((key, i) => isMore(key, keys[i] ?? key))
    const before = await confirmedFor(CHANGE, { services, request, admin }, keys, isConfirmed ? after : undefined)
    return withStillAccepted(services, await services.keys.patch(projectId, keyId, patch, admin, before))
  },
})

const ROTATE = { method: 'POST', url: `${KEY}/rotate`, body: keyRotation.prefault({}) } as const

export const rotateKey = operation({
  ...ROTATE,
  access: 'project_admin',
  summary: 'Rotate an application key',
  example: { body: { grace_seconds: 3_600 } },
  description: 'Mints a key with the same rights; the old one is accepted for grace_seconds more.',
  conflicts: `The key was rotated before and is in its grace time, or the project has as many active keys as it may have. ${CHANGED_MEANWHILE}`,
  answer: mintedKey,
  status: 201,
  run: async (services, request, admin) => {
    const key = await named(services, request)
    const { grace_seconds: grace } = request.body()
    const before = await confirmedFor(ROTATE, { services, request, admin }, [key], ofFullProject(key))
    return await services.keys.rotate(key.project_id, key.key_id, grace, admin, before)
  },
})

export const revokeKey = operation({
  method: 'DELETE',
  url: KEY,
  access: 'project_admin',
  summary: 'Revoke an application key',
  description:
    'The key’s document stays, with active: false. In the grace time of a rotation the other key is still accepted: still_accepted says which, and till when.',
  answer: changedKeyView,
  run: async (services, request) =>
    withStillAccepted(services, await services.keys.revoke(request.param('project_id'), request.param('key_id'))),
})

export const invitePerson = operation({
  method: 'POST',
  url: '/projects/:project_id/people',
  access: 'project_admin',
  secondPerson: (_, request) => isFullProject(newPerson.parse(request.body())),
  summary: 'Invite a person',
  example: { body: { subject: 'lead@example.com', allowed_agents: ['Ana Silva'], roles: ['Supervisor'] } },
  description:
    'Makes a key that has no token, for a person who signs AI clients in. The invitation in this answer lets one client in, within seven days. Who names nobody hears nobody, unless require_mapping is false.',
  conflicts: 'The project has this person, or as many active keys as it may have',
  answer: invitedPerson,
  status: 201,
  body: newPerson,
  run: async ({ keys, projects, signInAddress }, request, admin) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    const { subject, name = subject.slice(0, 120), ...rights } = known(request.body())
    const { key_id: id } = await keys.admit(projectId, { ...rights, name }, { subject }, admin)
    return shownOnce(await keys.invite(projectId, id, admin), signInAddress())
  },
})

const INVITE = { method: 'POST', url: `${KEY}/invitation` } as const

export const inviteAgain = operation({
  ...INVITE,
  access: 'project_admin',
  summary: 'Invite a person again',
  description: 'Lets another AI client of theirs in, once, within seven days. An invitation before it ends.',
  conflicts: CHANGED_MEANWHILE,
  answer: invitedPerson,
  status: 201,
  run: async (services, request, admin) => {
    const key = await named(services, request)
    // Whoever has the invitation asks as the person, as with the token of a key.
    const before = await confirmedFor(INVITE, { services, request, admin }, [key], ofFullProject(key))
    return shownOnce(await services.keys.invite(key.project_id, key.key_id, admin, before), services.signInAddress())
  },
})

function shownOnce({ key, code }: Invitation, address: string | undefined) {
  return {
    ...key,
    invitation_code: code,
    ...(address !== undefined && { invitation_url: invitationUrl(address, code) }),
  }
}

export const listConnections = operation({
  method: 'GET',
  url: `${KEY}/connections`,
  access: 'project_admin',
  summary: 'List the connections of an application key',
  description:
    'AI clients that somebody let in with the key by signing in; what they hear is what the key hears, at each request, less what was left out for them (agents, text).',
  table: 'connections',
  answer: z.strictObject({ connections: z.array(connection) }),
  run: async ({ keys, connections }, request) => {
    const { key_id: keyId } = await named({ keys }, request)
    return { connections: connections.of(keyId) }
  },
})

export const endConnection = operation({
  method: 'DELETE',
  url: `${KEY}/connections/:connection_id`,
  access: 'project_admin',
  summary: 'End a connection of an application key',
  description: 'At once: its next request is refused, and the client has to sign in again.',
  answer: connection,
  run: async ({ keys, connections }, request) => {
    const { key_id: keyId } = await named({ keys }, request)
    return await connections.end(keyId, request.param('connection_id'))
  },
})

export const showConnectionAsSeen = operation({
  method: 'GET',
  url: `${KEY}/connections/:connection_id/as-seen`,
  access: 'project_admin',
  summary: 'Show what a connection of an application key hears',
  description: 'What the key hears, less what whoever let the client in left out for it.',
  answer: seenByKey,
  run: async ({ keys, connections, answering }, request) => {
    const key = await named({ keys }, request)
    const terms = connections.termsOf(key.key_id, request.param('connection_id'))
    return await keyAsSeen({ answering, keys }, key, request, terms)
  },
})

export const showKeyAsSeen = operation({
  method: 'GET',
  url: `${KEY}/as-seen`,
  access: 'project_admin',
  summary: 'Show what an application key hears',
  description: 'Seen with its eyes: calls, agents and tools, by which rule, what is left out, and since when.',
  answer: seenByKey,
  run: async ({ keys, answering }, request) =>
    await keyAsSeen({ answering, keys }, await named({ keys }, request), request),
})

/** Key administration. What a handler looks up before it reads the body decides that 404 comes before 422. */
export const keyOperations = [
  mintKey,
  listKeys,
  getKey,
  changeKey,
  rotateKey,
  revokeKey,
  invitePerson,
  inviteAgain,
  listConnections,
  endConnection,
  showConnectionAsSeen,
  showKeyAsSeen,
] as const
