import { echo, normalName } from '../../../base/text.js'
import { labelKind } from './label-kind.js'
import type { Role, Speech } from './speech.js'

/** What only somebody who works there says at the start of a call. */
const FOR_A_COMPANY =
  /\b(?:thank(?:s| you) for (?:calling|contacting|choosing|waiting|holding)|how (?:can|may|could) (?:i|we) (?:help|assist)|what can i (?:do for you|help you)|this is \w+ (?:from|with|at|speaking)|my name is \w+ (?:from|with|at|and i)|you're speaking (?:with|to)|you are speaking (?:with|to)|welcome to|(?:wie|womit) (?:kann|darf) ich (?:ihnen |dir )?(?:weiter)?helfen|was (?:kann|darf) ich für (?:sie|dich) tun|sie sprechen mit|vielen dank für ihren anruf|comment puis-je vous aider|en qué (?:le |te )?(?:puedo|podemos) (?:ayudar|servir)|(?:le|te) atiende|gracias por llamar|come posso aiutar|posso ajud)/i
/** What anybody says at the start of a call. */
const GREETING =
  /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen|abend)|hallo|bonjour|hola|buen[oa]s|buongiorno|salve|ol[aá]|bom dia|goede(?:morgen|middag)|hej|cześć|dzień dobry)\b/i

/** How surely a text is an agent's greeting. */
function greets(text: string): 'as agent' | 'as anybody' | undefined {
  if (FOR_A_COMPANY.test(text)) return 'as agent'
  return GREETING.test(text) ? 'as anybody' : undefined
}

/** Turns at the start in which an agent greets. */
const GREETING_TURNS = 8

/** Which speakers are agents, and how that is known. */
export type AgentChoice =
  | { readonly agents: ReadonlySet<string>; readonly by: 'label' | 'option' }
  /** By what the source says of each turn, since two people may have one name. */
  | { readonly agents: ReadonlySet<string>; readonly by: 'source'; readonly role: Role }
  | { readonly agents: ReadonlySet<string>; readonly by: 'greeting'; readonly sure: boolean }
  | { readonly fault: string }

/**
 * Which speakers of a call are agents: those `--agent-speaker` names, else those of whom the source says so (bots, where
 * no person is one), else those whose label says so, else the one who greets first. With two speakers one of whom is the
 * customer, the other is the agent.
 */
export function agentOf(speeches: readonly Speech[], asked: readonly string[]): AgentChoice {
  const labels = [...new Set(speeches.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])))]
  if (labels.length === 0) {
    return {
      fault: 'names no speakers, so who said what is not known: transcribe it with speaker labels (diarization)',
    }
  }
  const wanted = new Set(asked.map(normal))
  const named = labels.filter(label => wanted.has(normal(label)))
  if (named.length > 0) return { agents: new Set(named), by: 'option' }
  for (const role of ['agent', 'bot'] as const) {
    const told = labelsOf(speeches, role)
    if (told.size > 0) return { agents: told, by: 'source', role }
  }
  const roles = rolesOf(speeches)
  const agents = labels.filter(label => labelKind(label) === 'agent')
  if (agents.length > 0) return { agents: new Set(agents), by: 'label' }
  if (asked.length > 0) {
    return { fault: `has no speaker ${asked.map(echo).join(' or ')} (--agent-speaker); ${told(labels)}` }
  }
  const kindOf = (label: string) => roles.get(label) ?? labelKind(label)
  const others = labels.filter(label => !['customer', 'system'].includes(kindOf(label)))
  const [only, second] = others
  if (only !== undefined && second === undefined && labels.some(label => kindOf(label) === 'customer')) {
    return { agents: new Set([only]), by: 'label' }
  }
  // Nobody but customers, or a recording: a call nobody answered.
  if (only === undefined) return { agents: new Set(), by: 'label' }
  return whoGreets(speeches, others)
}

/** The labels of those who have a role, by what the source says. */
export function labelsOf(speeches: readonly Speech[], role: Role): ReadonlySet<string> {
  return new Set(speeches.flatMap(one => (one.speaker === undefined || one.role !== role ? [] : [one.speaker])))
}

/** What the source says of labels. */
export function rolesOf(speeches: readonly Speech[]): ReadonlyMap<string, Role> {
  return new Map(
    speeches.flatMap(({ speaker, role }) => (speaker === undefined || role === undefined ? [] : [[speaker, role]])),
  )
}

function whoGreets(speeches: readonly Speech[], others: readonly string[]): AgentChoice {
  const first = speeches.filter(({ speaker }) => speaker !== undefined && others.includes(speaker))
  for (const way of ['as agent', 'as anybody'] as const) {
    const greeter = first.slice(0, GREETING_TURNS).find(({ text }) => greets(text) === way)?.speaker
    if (greeter === undefined) continue
    return { agents: new Set([greeter]), by: 'greeting', sure: way === 'as agent' }
  }
  return {
    fault: `doesn't say which speaker is the agent, and none greets as one: name it with --agent-speaker; ${told(others)}`,
  }
}

function normal(label: string): string {
  return normalName(label).toLowerCase()
}

/** The labels, unless they may be names: what is told of a reject must not hold what was said or who spoke. */
function told(labels: readonly string[]): string {
  const named = labels.some(label => labelKind(label) === 'name')
  if (named || labels.length > 9) return `it has ${labels.length} speakers`
  return `its speakers are ${labels.map(echo).join(', ')}`
}
