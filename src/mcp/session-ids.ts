import { createHash, randomUUID } from 'node:crypto'
import type { ClientCapabilities } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { parsedJson } from '../base/parsed-json.js'
import type { SecretBox } from '../base/secret-box.js'
import type { EndedSessionStore } from '../store/shared-extras.js'
import { SESSION_REVISIONS } from './revisions.js'

/** What a client said of itself when it opened a session, as far as it matters later. */
export interface Opening {
  readonly revision: string
  readonly capabilities: ClientCapabilities
}

/** How sessions are named, and what a name tells of one that this process has not. */
export interface SessionIds {
  make(keyId: string, opening: Opening): string
  /** Undefined where it names no session of this key that goes on. */
  reopen(keyId: string, id: string): Opening | undefined
  /** Whether one that is open here is one still. */
  lasts(keyId: string, id: string): boolean
  /** Whether it was ended, by whichever process. */
  isEnded(id: string): Promise<boolean>
  end(id: string): Promise<void>
}

/** Names of sessions that the process which opened them has, and no other. */
export const ownSessionIds: SessionIds = {
  make: () => randomUUID(),
  reopen: () => undefined,
  lasts: () => true,
  isEnded: async () => await Promise.resolve(false),
  end: async () => await Promise.resolve(),
}

/** How long a session is one, however much it is used: a name can't say when it was used last. Milliseconds. */
const SEALED_MS = 24 * 60 * 60 * 1000

/** Longest capabilities that are sealed; of more a session knows nothing. A header has to hold them. */
const MOST_CAPABILITIES = 2_048

const sealed = z.strictObject({
  revision: z.string(),
  capabilities: z.record(z.string(), z.unknown()),
  /** Milliseconds since 1970. */
  made: z.int(),
})

interface SealedParts {
  readonly box: SecretBox
  readonly ended: EndedSessionStore
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/** Names that hold what a session was opened with, sealed for its key: any process of a store goes on with it. */
export function sealedSessionIds({ box, ended, clock = Date.now }: SealedParts): SessionIds {
  const bound = (keyId: string) => JSON.stringify(['mcp session', keyId])
  const reopen = (keyId: string, id: string): Opening | undefined => {
    const text = box.open(id, bound(keyId))
    const read = sealed.safeParse(text === undefined ? undefined : parsedJson(text))
    if (!read.success || clock() - read.data.made >= SEALED_MS) return undefined
    const { revision, capabilities } = read.data
    return { revision, capabilities }
  }
  return {
    make: (keyId, { revision, capabilities }) => {
      const known = JSON.stringify(capabilities).length > MOST_CAPABILITIES ? {} : capabilities
      return box.seal(JSON.stringify({ revision, capabilities: known, made: clock() }), bound(keyId))
    },
    reopen,
    lasts: (keyId, id) => reopen(keyId, id) !== undefined,
    isEnded: id => ended.has(hashOf(id)),
    end: id => ended.add(hashOf(id), new Date(clock() + SEALED_MS)),
  }
}

const hashOf = (id: string): string => createHash('sha256').update(id).digest('base64url')

const initialize = z.object({
  params: z.object({ protocolVersion: z.string(), capabilities: z.record(z.string(), z.unknown()) }),
})

/** What an `initialize` says. */
export function openingOf(message: unknown): Opening {
  const read = initialize.safeParse(message)
  const { protocolVersion = '', capabilities = {} } = read.success ? read.data.params : {}
  const known = SESSION_REVISIONS.find(revision => revision === protocolVersion)
  return { revision: known ?? SESSION_REVISIONS[0], capabilities }
}

/** The `initialize` that opens a session anew in another process. */
export function openingMessage({ revision, capabilities }: Opening) {
  const clientInfo = { name: 'a session that was opened elsewhere', version: '0' }
  return {
    jsonrpc: '2.0' as const,
    id: 'reopened',
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  }
}
