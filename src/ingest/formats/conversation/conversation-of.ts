import { type AgentChoice, agentOf, labelsOf, rolesOf } from './agent-of.js'
import { labelKind } from './label-kind.js'
import type { Role, Speech } from './speech.js'

/** No call is as long, seconds: such times are of another unit. */
const LONGEST_CALL_S = 48 * 3600
/** Latest time of a turn that a record takes, seconds: 115 days. */
const LATEST_TURN_S = 1e7
/** What is written may go on for as long as people like. */
const WRITTEN: ReadonlySet<unknown> = new Set(['chat', 'email', 'sms'])

type Chosen = Exclude<AgentChoice, { readonly fault: string }>

export interface Conversation {
  /** The part of a call record that follows from who said what. */
  readonly record: Readonly<Record<string, unknown>>
  /** For session_metadata: the label taken for the agent's, and how it was chosen. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * The transcript of a call with the agent told from the customer; the agent's name where the label is one. What had to
 * be guessed lowers the trust in the call and says so.
 *
 * @param channel of the call, where the source says it: what is written may last for days
 */
export function conversationOf(
  said: readonly Speech[],
  agentSpeakers: readonly string[],
  channel?: unknown,
): { readonly conversation: Conversation } | { readonly fault: string } {
  const ordered = inOrder(said.filter(({ text }) => text.trim() !== ''))
  if (ordered.length === 0) return { fault: 'holds nothing that was said' }
  const last = ordered.reduce((latest, { start = 0, end = start }) => Math.max(latest, end), 0)
  const isWritten = WRITTEN.has(channel)
  const speeches = last <= LATEST_TURN_S ? ordered : ordered.map(one => ({ ...one, start: undefined, end: undefined }))
  if (last > LONGEST_CALL_S && !isWritten) {
    return { fault: `ends ${Math.round(last)} seconds after its start: its times seem to be of another unit` }
  }
  const choice = agentOf(speeches, agentSpeakers)
  if ('fault' in choice) return choice
  const { agents } = choice
  const agent = mainAgent(speeches, agents)
  const agentId = speeches.find(one => one.speaker === agent && one.agentId !== undefined)?.agentId
  const roles = rolesOf(speeches)
  const reasons = reasonsOf(speeches, choice, roles)
  const customers = [...labelsOf(speeches, 'customer')].filter(label => labelKind(label) === 'name')
  const record = {
    ...(agent !== undefined && labelKind(agent) === 'name' && { agent_name: agent }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(customers.length === 1 && { customer_display_name: customers[0] }),
    ...(reasons.length > 0 && { trust: { level: reasons.length > 1 ? 'low' : 'medium', reasons } }),
    transcript: speeches.map(({ speaker, role, text, start, end }, turn) => {
      const start_s = start === undefined ? undefined : Math.max(0, start)
      return {
        turn,
        actor: actorOf({ speaker, role }, choice, roles),
        text: text.trim(),
        ...(start_s !== undefined && { start_s }),
        ...(end !== undefined && { end_s: Math.max(start_s ?? 0, end) }),
      }
    }),
  }
  return {
    conversation: {
      record,
      metadata: { ...(agent !== undefined && { agent_speaker: agent }), agent_speaker_by: choice.by },
    },
  }
}

/** Whose call it is where several agents speak, since one passes it on or asks another: who of those with a name says most. */
function mainAgent(speeches: readonly Speech[], agents: ReadonlySet<string>): string | undefined {
  if (agents.size < 2) return [...agents][0]
  const named = [...agents].filter(label => labelKind(label) === 'name')
  const saidBy = (label: string) =>
    speeches.reduce((sum, { speaker, text }) => sum + (speaker === label ? text.length : 0), 0)
  const said = (named.length > 0 ? named : [...agents]).map(label => ({ label, length: saidBy(label) }))
  return said.toSorted((a, b) => b.length - a.length)[0]?.label
}

function actorOf(
  { speaker, role }: Pick<Speech, 'speaker' | 'role'>,
  choice: Chosen,
  roles: ReadonlyMap<string, Role>,
): string {
  if (speaker === undefined) return 'system'
  if (choice.by === 'source' && role !== undefined) {
    return role === choice.role ? 'agent' : role === 'customer' ? 'customer' : 'system'
  }
  if (choice.agents.has(speaker)) return 'agent'
  const kind = roles.get(speaker) ?? labelKind(speaker)
  return kind === 'system' || kind === 'bot' ? 'system' : 'customer'
}

function reasonsOf(speeches: readonly Speech[], choice: Chosen, roles: ReadonlyMap<string, Role>): string[] {
  const reasons: string[] = []
  if (choice.by === 'greeting') {
    reasons.push('The transcript does not say who the agent is: taken to be the speaker who greets first')
    if (!choice.sure) reasons.push('That greeting is one a customer could give too')
  }
  const nameless = speeches.filter(({ speaker }) => speaker === undefined).length
  if (nameless > 0) reasons.push(`${nameless} of ${speeches.length} turns name no speaker`)
  const { size: agents } = choice.agents
  if (agents > 1) reasons.push(`${agents} agents speak: their turns count as those of one`)
  const customers = new Set(
    speeches.filter(one => actorOf(one, choice, roles) === 'customer').map(({ speaker }) => speaker),
  )
  if (customers.size > 1) {
    const people = customers.size + agents
    reasons.push(`${people} people speak: all but the agent${agents > 1 ? 's' : ''} count as the customer`)
  }
  return reasons
}

/**
 * By their start; one that has none stays behind what stands before it. Sources of several channels are not in order, and some say
 * nothing of when a single piece began.
 */
function inOrder(speeches: readonly Speech[]): readonly Speech[] {
  let last = 0
  const placed = speeches.map(one => {
    last = one.start ?? last
    return { one, at: last }
  })
  return placed.toSorted((a, b) => a.at - b.at).map(({ one }) => one)
}
