import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import type { TextAccess } from '../../pipeline/index.js'
import { hidden, record, shown } from './record.js'

/** The roles a key may have; any other is refused. */
export const ROLES = ['Admin', 'SuperAdmin', 'Supervisor', 'Auditor'] as const

/** How much a key sees of what customers said and who they are. */
export const TEXT_ACCESS = ['none', 'masked', 'full'] as const satisfies readonly TextAccess[]

/**
 * An application key as it is kept: the token itself is not, only its SHA-256. A person is a key that nobody can show: they sign
 * in, and their clients stand for it.
 */
export const key = record({
  key_id: shown(z.string()),
  name: shown(z.string()),
  kind: shown(
    z.enum(['person']).exactOptional().meta({ description: 'person: signs in and has no token; absent: a key' }),
  ),
  subject: shown(
    z.string().exactOptional().meta({ description: 'Who a person is: an e-mail address or another name' }),
  ),
  issuer: shown(
    z.string().exactOptional().meta({ description: 'The identity provider that says so; absent: who invited them' }),
  ),
  invitation_hash: hidden(z.string().exactOptional()),
  invited_until: shown(z.string().exactOptional().meta({ description: 'Until when an invitation can be accepted' })),
  key_hash: hidden(z.string().exactOptional()),
  key_preview: shown(
    z.string().exactOptional().meta({ description: 'First 8 and last 4 characters of the key; a person has none' }),
  ),
  project_id: shown(z.string()),
  active: shown(z.boolean()),
  is_supervisor: shown(z.boolean()),
  roles: shown(z.array(z.enum(ROLES))),
  allowed_agents: shown(z.array(z.string()).meta({ description: 'Agents the key hears; empty: see require_mapping' })),
  require_mapping: shown(z.boolean().meta({ description: 'With no allowed_agents, the key hears nothing' })),
  teams: shown(
    z
      .array(z.string())
      .exactOptional()
      .meta({ description: 'Teams whose agents the key hears, beside allowed_agents' }),
  ),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
  changed_at: shown(z.string().exactOptional().meta({ description: 'When it was last changed; absent: never' })),
  last_used_at: shown(z.string().exactOptional()),
  expires_at: shown(
    z.string().exactOptional().meta({ description: 'When the key stops being accepted: given, or set by a rotation' }),
  ),
  allowed_networks: shown(
    z.array(z.string()).exactOptional().meta({ description: 'Where the key is accepted from; absent: anywhere' }),
  ),
  text: shown(
    z.enum(TEXT_ACCESS).exactOptional().meta({
      description:
        'none: the key sees no text of calls and no names of customers; masked: it reads them masked; absent: all',
    }),
  ),
  min_group: shown(
    z
      .int()
      .exactOptional()
      .meta({ description: 'Calls of the smallest group that the key is told of; absent: of every call' }),
  ),
  requests_per_minute: shown(
    z.int().exactOptional().meta({ description: 'Requests a minute of the key; absent: as many as any' }),
  ),
  questions_per_day: shown(z.int().exactOptional().meta({ description: 'Questions a day; absent: no bound' })),
  bytes_per_day: shown(z.int().exactOptional().meta({ description: 'Bytes of answers a day; absent: no bound' })),
  processor_seconds_per_day: shown(
    z.int().exactOptional().meta({ description: 'Seconds a day of work on its answers; absent: no bound' }),
  ),
  spent: hidden(
    z.strictObject({ day: z.string(), questions: z.number(), bytes: z.number(), work_ms: z.number() }).exactOptional(),
  ),
  /** Whose budget of a day it spends: the first of those that rotations put in one another's place. Absent: its own. */
  spends_as: hidden(z.string().exactOptional()),
  tools: shown(
    z.array(z.string()).exactOptional().meta({ description: 'Tools the key may ask, and nothing else; absent: any' }),
  ),
  read_only: shown(z.boolean().exactOptional().meta({ description: 'The key may change nothing; absent: false' })),
  signed_out_at: hidden(z.string().exactOptional()),
  replaced_by: shown(z.string().exactOptional().meta({ description: 'The key that a rotation put in its place' })),
})
export type KeyRecord = Immutable<z.output<typeof key.stored>>

const { key_id: keyId, ...otherFields } = key.view.shape

/** A key as reads answer with it, with its id under both names. */
export const keyView = z.strictObject({
  key_id: keyId,
  id: z.string().meta({ description: 'The same as key_id' }),
  ...otherFields,
})
export type KeyView = Immutable<z.output<typeof keyView>>

/** The answer to minting or rotating: the only one that holds the key itself. */
export const mintedKey = keyView.extend({
  key: z.string().meta({ description: 'The application key; shown this once' }),
})
export type MintedKey = Immutable<z.output<typeof mintedKey>>

/** A key that was changed or revoked: who revokes one of a rotation is told of the other, whose token may be as well known. */
export const changedKeyView = keyView.extend({
  still_accepted: z
    .array(keyView.pick({ key_id: true, name: true, key_preview: true, expires_at: true }))
    .exactOptional()
    .meta({
      description:
        'Of a key that was revoked: other keys of its rotation that are accepted, till expires_at or for good; each is revoked by itself',
    }),
})
export type ChangedKeyView = Immutable<z.output<typeof changedKeyView>>

/** A person with an invitation: the only answer that holds it. */
export const invitedPerson = keyView.extend({
  invitation_code: z.string().meta({ description: 'Lets one program in, once; shown this once' }),
  invitation_url: z
    .string()
    .optional()
    .meta({ description: 'Where to open it; absent where the service does not know its own address' }),
})

export function keyViewOf(kept: KeyRecord): KeyView {
  const { key_id, ...rest } = key.show(kept)
  return { key_id, id: key_id, ...rest }
}
