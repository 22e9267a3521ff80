const AGENT =
  /^(?:agent|advis[eo]r|representative|rep|operator|csr|cs|support|assistant|associate|clerk|consultant|teller|employee|staff|agentin|berater|beraterin|mitarbeiter|mitarbeiterin|agente|asesora?|operadora?|ejecutiv[oa]|teleoperadora?)(?:[\s_#-]*\d+)?$/i
const CUSTOMER =
  /^(?:customer|caller|client|user|consumer|member|patient|guest|buyer|shopper|cust|kund(?:e|in)|anrufer(?:in)?|client[ea]|usuari[oa])(?:[\s_#-]*\d+)?$/i
const SYSTEM = /^(?:system|ivr|bot|machine|recording|announcement|automated(?: (?:voice|message))?)(?:[\s_#-]*\d+)?$/i
/** What machines call speakers they can't name: 0, A, S1, Speaker 1, SPEAKER_00, spk_0, channel 1. */
const NUMBERED =
  /^(?:(?:speaker|spk|spkr|channel|ch|participant|person|voice|unknown)[\s_#-]*)?(?:\d{0,40}|[a-z]\d{0,3})$|^(?:speaker|unknown)$/i

/** What a label of a speaker says: a role, only a number, or a name. */
export type LabelKind = 'agent' | 'customer' | 'system' | 'numbered' | 'name'

export function labelKind(label: string): LabelKind {
  if (AGENT.test(label)) return 'agent'
  if (CUSTOMER.test(label)) return 'customer'
  if (SYSTEM.test(label)) return 'system'
  return NUMBERED.test(label) ? 'numbered' : 'name'
}
