import { agentOf } from './agent-of.js'
import { labelKind } from './label-kind.js'
import type { Speech } from './speech.js'

/** No call is as long, seconds: such times are of another unit. */
const LONGEST_CALL_S = 48 * 3600

export interface Conversation {
  /** The part of a call record that follows from who said what. */
  readonly record: Readonly<Record<string, unknown>>
  /** For session_metadata: the label taken for the agent's, and how it was chosen. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * The transcript of a call with the agent told from the customer; the agent's name where the label is one. What had to
 * be guessed lowers the trust in the call and says so.
 */
export function conversationOf(
  said: readonly Speech[],
  agentSpeakers: readonly string[],
): { readonly conversation: Conversation } | { readonly fault: string } {
  const speeches = inOrder(said.filter(({ text }) => text.trim() !== ''))
  if (speeches.length === 0) return { fault: 'holds nothing that was said' }
  const last = speeches.reduce((latest, { start = 0, end = start }) => Math.max(latest, end), 0)
  if (last > LONGEST_CALL_S) {
    return { fault: `ends ${Math.round(last)} seconds after its start: its times seem to be of another unit` }
  }
  const choice = agentOf(speeches, agentSpeakers)
  if ('fault' in choice) return choice
  const { agents } = choice
  const [agent] = agents
  const reasons = reasonsOf(speeches, choice)
  const record = {
    ...(agents.size === 1 && agent !== undefined && labelKind(agent) === 'name' && { agent_name: agent }),
    ...(reasons.length > 0 && { trust: { level: reasons.length > 1 ? 'low' : 'medium', reasons } }),
    transcript: speeches.map(({ speaker, text, start, end }, turn) => {
      const start_s = start === undefined ? undefined : Math.max(0, start)
      return {
        turn,
        actor: actorOf(speaker, agents),
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

function actorOf(speaker: string | undefined, agents: ReadonlySet<string>): string {
  if (speaker === undefined) return 'system'
  if (agents.has(speaker)) return 'agent'
  return labelKind(speaker) === 'system' ? 'system' : 'customer'
}

function reasonsOf(
  speeches: readonly Speech[],
  choice: Exclude<ReturnType<typeof agentOf>, { fault: string }>,
): string[] {
  const reasons: string[] = []
  if (choice.by === 'greeting') {
    reasons.push('The transcript does not say who the agent is: taken to be the speaker who greets first')
    if (!choice.sure) reasons.push('That greeting is one a customer could give too')
  }
  const nameless = speeches.filter(({ speaker }) => speaker === undefined).length
  if (nameless > 0) reasons.push(`${nameless} of ${speeches.length} turns name no speaker`)
  const people = new Set(
    speeches.map(({ speaker = 'system' }) => speaker).filter(label => labelKind(label) !== 'system'),
  )
  if (people.size > 2) reasons.push(`${people.size} people speak: all but the agent count as the customer`)
  return reasons
}

/** By their start, where every one has it; sources of several channels are not in order. */
function inOrder(speeches: readonly Speech[]): readonly Speech[] {
  if (speeches.some(({ start }) => start === undefined)) return speeches
  return speeches.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
}
