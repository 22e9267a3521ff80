import type { SeenByKey } from '../questions/key-as-seen.js'
import type { z } from 'zod'
import type { ChangedKeyView, invitedPerson, KeyView, MintedKey } from '../store/records/key.js'
import { table } from './print.js'

/** A key for a reader. */
export function keyLines(key: KeyView): string {
  return [
    `Key              ${key.key_id}`,
    `Name             ${key.name}`,
    `Project          ${key.project_id}`,
    ...(key.kind === 'person' ? [`Person           ${whois(key)}`] : [`Token            ${key.key_preview ?? ''}`]),
    `Active           ${key.active ? 'yes' : 'no'}`,
    `Roles            ${key.roles.length === 0 ? 'none' : key.roles.join(', ')}`,
    `Agents it hears  ${agentsHeard(key)}`,
    `Supervisor       ${key.is_supervisor ? 'yes' : 'no'}`,
    `Mapping          ${key.require_mapping ? 'required' : 'not required'}`,
    ...textLines(key),
    ...(key.min_group === undefined ? [] : [`Groups           of ${key.min_group} calls and more only`]),
    ...(key.tools === undefined ? [] : [`Tools            ${key.tools.join(', ')}, and nothing else`]),
    ...(key.read_only === true ? ['Changes          nothing'] : []),
    ...(key.requests_per_minute === undefined ? [] : [`Requests         ${key.requests_per_minute} a minute at most`]),
    ...budgetLines(key),
    ...(key.allowed_networks === undefined ? [] : [`Accepted from    ${key.allowed_networks.join(', ')}`]),
    `Created          ${key.created_at} by ${key.created_by}`,
    ...(key.invited_until === undefined ? [] : [`Invited until    ${key.invited_until}`]),
    ...(key.last_used_at === undefined ? [] : [`Last used        ${key.last_used_at}`]),
    ...(key.expires_at === undefined || !key.active ? [] : [`Accepted until   ${key.expires_at}`]),
    '',
  ].join('\n')
}

/** A key that was changed or revoked for a reader, with what of its rotation is still let in. */
export function changedLines(key: ChangedKeyView): string {
  const { project_id: project, still_accepted: others = [] } = key
  const still = others.map(
    ({ key_id: id, key_preview: preview = '', expires_at: until }) =>
      `\n${id} (${preview}) of the same rotation is still accepted${until === undefined ? '' : ` until ${until}`}. To end it too:\n  earshot keys revoke ${id} --project ${project}\n`,
  )
  return [keyLines(key), ...still].join('')
}

/** How much of texts it sees, where that is not all. */
export function textLines({ text }: Pick<KeyView, 'text'>): readonly string[] {
  if (text === 'none') return ['Text             none: no transcripts, quotes, titles, names of customers']
  return text === 'masked' ? ['Text             masked; nothing is searched or computed by it'] : []
}

function whois({ subject = '', issuer }: KeyView): string {
  return issuer === undefined ? subject : `${subject}, says ${issuer}`
}

/** An invitation for a reader, with the one sight of it. */
export function invitedLines(invited: z.output<typeof invitedPerson>): string {
  const { invitation_url: url, invitation_code: code, invited_until: until = '' } = invited
  const link = url ?? `${code}\n\nThey paste it into the page to sign in.`
  return `${keyLines(invited)}\n${link}\n\nIt lets one AI client in, once, until ${until.slice(0, 10)}. This is the only time it is shown.\n`
}

function budgetLines({
  questions_per_day: questions,
  bytes_per_day: bytes,
  processor_seconds_per_day: seconds,
}: KeyView) {
  const bounds = [
    ...(questions === undefined ? [] : [`${questions} questions`]),
    ...(bytes === undefined ? [] : [`${bytes} bytes of answers`]),
    ...(seconds === undefined ? [] : [`${seconds} s of work`]),
  ]
  return bounds.length === 0 ? [] : [`In a day         ${bounds.join(', ')} at most`]
}

function agentsHeard({ allowed_agents, require_mapping, teams = [] }: KeyView): string {
  const named = [...allowed_agents, ...teams.map(id => `whoever is in team ${id}`)]
  if (named.length > 0) return named.join(', ')
  return require_mapping ? 'none, until some are named' : 'all'
}

/** A new key for a reader, with the one sight of its token; where it names agents, how to see that they are the right ones. */
export function mintedLines(key: MintedKey): string {
  const shown = `${keyLines(key)}\n${key.key}\n\nThis is the only time the token is shown.\n`
  if (key.allowed_agents.length === 0 && (key.teams ?? []).length === 0) return shown
  return `${shown}Names are compared as they are spelled; what the key hears: earshot keys show ${key.key_id} --project ${key.project_id} --as-seen\n`
}

/** What a key hears, for a reader. */
export function seenLines({ key, scope }: SeenByKey): string {
  const told = scope === undefined ? 'The key is revoked and sees nothing.\n' : scopeLines(scope)
  return `${keyLines(key)}\n${told}`
}

/** What is heard where no calls are counted. */
const UNCOUNTED = { full_project: 'the full project', groups: 'groups of calls alone', nothing: 'no calls' } as const

/** What a caller hears, by which rule, and what is left out. */
function scopeLines(scope: NonNullable<SeenByKey['scope']>): string {
  const { hears, calls, agents, agents_total: total = agents.length, first_call: first, last_call: last } = scope
  const span = first === undefined || last === undefined ? '' : `, ${first.slice(0, 10)} to ${last.slice(0, 10)}`
  const whole = hears === 'full_project' ? ' (the full project)' : ''
  const silent = agents.filter(agent => agent.calls === 0).map(agent => agent.agent_name)
  const heard = agents.filter(agent => agent.calls !== 0)
  const said = (title: string, statements: typeof scope.rules) =>
    statements.map(({ rule, says }, i) => `${(i === 0 ? title : '').padEnd(17)}${says} (${rule})`)
  const lines = [
    calls === undefined
      ? `Sees             ${hears === 'agents' ? `calls of ${total} agents` : UNCOUNTED[hears]}`
      : `Sees             ${calls} calls of ${total - silent.length} agents${span}${whole}`,
    ...(scope.since === undefined ? [] : [`Since            ${scope.since}`]),
    ...said('By', scope.rules),
    ...said('Left out', scope.left_out),
    `Tools            ${scope.tools.join(', ')}`,
    ...(silent.length === 0 ? [] : [`Without calls    ${silent.join(', ')} (is the name written so in the calls?)`]),
    '',
  ].join('\n')
  if (heard.length === 0) return lines
  const rows = heard.map(agent => [agent.agent_name, String(agent.calls ?? '')])
  const more = total > agents.length ? `and ${total - agents.length} more\n` : ''
  return `${lines}\n${table(['Agent', 'Calls'], rows)}${more}`
}
