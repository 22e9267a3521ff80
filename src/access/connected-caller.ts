import { TEXT_ACCESS } from '../store/records/key.js'
import type { Caller, ConnectionTerms } from './caller.js'
import { isAuditor } from './scope-of.js'

/**
 * Who asks by a client that was let in: what the key hears at this request, less what was left out for the client. It
 * changes nothing. Agents that the key does not hear (any more) are not heard, whoever named them. Where anything was left out
 * roles open nothing beside the calls: who asked what tells of every call of the project.
 */
export function connectedCaller(caller: Caller, connection: ConnectionTerms): Caller {
  const { access_scope: ofKey, terms } = caller
  const { agents, text: most = 'full' } = connection.narrowing ?? {}
  const isNarrowed = agents !== undefined || most !== 'full'
  return {
    ...caller,
    access_scope: {
      ...ofKey,
      ...(isNarrowed && { roles: isAuditor(ofKey) ? ['Auditor'] : [] }),
      ...(agents !== undefined && { allowed_agents: common(ofKey, agents), require_mapping: true }),
      text: TEXT_ACCESS.find(one => one === ofKey.text || one === most) ?? 'none',
      read_only: true,
    },
    ...(terms !== undefined && { terms: { ...terms, connection: { ...connection, ofKey } } }),
  }
}

function common({ allowed_agents: heard, require_mapping: mapped }: Caller['access_scope'], chosen: readonly string[]) {
  if (heard.length === 0) return mapped ? [] : chosen
  const wanted = new Set(chosen)
  return heard.filter(name => wanted.has(name))
}
