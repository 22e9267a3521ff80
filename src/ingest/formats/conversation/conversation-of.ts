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
  const [agent] = agents
  const reasons = reasonsOf(speeches, choice)
  const roles = rolesOf(speeches)
  const customers = [...labelsOf(speeches, 'customer')].filter(label => labelKind(label) === 'name')
  const record = {
    ...(agents.size === 1 && agent !== undefined && labelKind(agent) === 'name' && { agent_name: agent }),
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

function reasonsOf(speeches: readonly Speech[], choice: Chosen): string[] {
  const reasons: string[] = []
  if (choice.by === 'greeting') {
    reasons.push('The transcript does not say who the agent is: taken to be the speaker who greets first')
    if (!choice.sure) reasons.push('That greeting is one a customer could give too')
  }
  const nameless = speeches.filter(({ speaker }) => speaker === undefined).length
  if (nameless > 0) reasons.push(`${nameless} of ${speeches.length} turns name no speaker`)
  const people = new Set(
    speeches
      .filter(({ speaker = 'system', role = labelKind(speaker) }) => role !== 'system' && role !== 'bot')
      .map(({ speaker }) => speaker),
  )
  if (people.size > 2) reasons.push(`${people.size} people speak: all but the agent count as the customer`)
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
