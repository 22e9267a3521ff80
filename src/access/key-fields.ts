import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { addressRange } from '../base/address-range.js'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import { ROLES, TEXT_ACCESS } from '../store/records/key.js'

const name = label(120).describe('Free-text label, 1 to 120 characters')
const isSupervisor = z.boolean().describe('Full-project visibility flag; grants nothing by itself')
const roles = z.array(z.enum(ROLES)).max(20).transform(unique).describe('Role names used by role-gated tools')
/** Names of agents, spelled as in the calls. */
export const agentNames = z.array(printable(200)).max(10_000).transform(unique)
const allowedAgents = agentNames.describe('Agent names the caller may see; empty means the full project')

export const teamId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, "_" and "-", beginning with a letter or digit',
  )
const teams = z
  .array(teamId)
  .max(20)
  .transform(unique)
  .describe('Teams whose agents the caller may see, beside allowed_agents; with nobody in them it sees nobody')
const requireMapping = z.boolean().describe('Fail closed when allowed_agents is empty')

const expiresAt = z.iso
  .datetime({ offset: true })
  .transform(text => new Date(text).toISOString())
  .describe('When the key stops being accepted')
const allowedNetworks = z
  .array(z.string().max(50).refine(isNetwork, 'must be an address or a network, such as 192.0.2.0/24'))
  .min(1)
  .max(100)
  .describe('Addresses and networks (CIDR) the key is accepted from; any when left out')

const text = z
  .enum(TEXT_ACCESS)
  .describe(
    'full; masked: texts are shown with personal data masked, and nothing is searched, filtered or computed by them; or none: figures and categories alone, without transcripts, quotes, titles, summaries, metadata, names of customers and the knowledge base',
  )

const minGroup = z
  .int()
  .min(2)
  .max(1_000)
  .describe('Tell it of groups of so many calls and more only, by GET /api/v1/groups, and of no single call')

const requestsPerMinute = z
  .int()
  .min(1)
  .max(100_000)
  .describe('Requests a minute of this key, where that is fewer than every key may make')

const questionsPerDay = z.int().min(1).max(10_000_000).describe('Questions a day (UTC) that the key may ask')
const bytesPerDay = z
  .int()
  .min(1)
  .max(2 ** 50)
  .describe('Bytes of answers a day, as JSON; the last answer of a day may go over')
const processorSecondsPerDay = z
  .int()
  .min(1)
  .max(10_000_000)
  .describe('Seconds a day that engine and threads work on its answers; the last one may go over')

const tools = z
  .array(z.string().regex(/^[a-z][a-z_]{0,63}$/, 'must be the name of a tool, such as search_calls'))
  .min(1)
  .max(100)
  .transform(unique)
  .describe(
    'Tools the key may ask, as tools and over REST; every other, and every resource, prompt and route, is refused',
  )

const readOnly = z.boolean().describe('It may ask and change nothing: no calls, feedback, documents or tasks')

/** What narrows a key further, where it is given. */
const bounds = z.strictObject({
  teams,
  expires_at: expiresAt,
  allowed_networks: allowedNetworks,
  text,
  min_group: minGroup,
  requests_per_minute: requestsPerMinute,
  questions_per_day: questionsPerDay,
  bytes_per_day: bytesPerDay,
  processor_seconds_per_day: processorSecondsPerDay,
  tools,
  read_only: readOnly,
})

/** The body that mints a key. Defaults apply field by field: a list of agents alone leaves the roles at ["Admin"]. */
export const newKey = z.strictObject({
  name,
  is_supervisor: isSupervisor.default(true),
  roles: roles.default(['Admin']),
  allowed_agents: allowedAgents.default([]),
  require_mapping: requireMapping.default(false),
  ...bounds.partial().shape,
})
export type NewKey = z.output<typeof newKey>

/** Fields that a change may take away, by null, as any JSON Merge Patch does (RFC 7396). */
function removable<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field.nullable().describe(`${field.description}; null takes it away`).optional(),
    ]),
  ) as { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> }
}

/** The body that changes a key. `active` can only become false: a revoked key stays revoked. */
export const keyPatch = z.strictObject({
  name: name.optional(),
  is_supervisor: isSupervisor.optional(),
  roles: roles.optional(),
  allowed_agents: allowedAgents.optional(),
  require_mapping: requireMapping.optional(),
  ...removable(bounds.shape),
  active: z.literal(false).optional(),
})
export type KeyPatch = z.output<typeof keyPatch>

/**
 * The body that invites a person: the fields of a key, but nobody is given a role, or the project, by leaving something out.
 */
export const newPerson = newKey.extend({
  subject: label(200).describe('Who it is: an e-mail address, or another name that is theirs alone'),
  name: name.optional().describe('Name, 1 to 120 characters; the subject by default'),
  is_supervisor: isSupervisor.default(false),
  roles: roles.default([]),
  require_mapping: requireMapping.default(true),
})

/** The body that rotates a key. */
export const keyRotation = z.strictObject({
  grace_seconds: z.int().min(0).max(86_400).default(0).describe('Seconds that the old key is still accepted'),
})

function isNetwork(text: string): boolean {
  // Shorter and octal spellings of IPv4 mean different addresses to different readers.
  const [host = ''] = text.split('/')
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) return false
  try {
    addressRange(text)
    return true
  } catch {
    return false
  }
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}
