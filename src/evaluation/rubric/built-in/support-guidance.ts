import { builtInGuidance } from '../../../calls/catalog/built-in-guidance.js'
import type { RubricInput } from '../rubric.js'
import type { Rule } from '../rule.js'
import { all, any, is, not } from './rules.js'

type Guide = NonNullable<RubricInput['guidance']>[number]

/** Signals that speak against the call, or for the entry, when they are present. */
const PRESENT: ReadonlySet<string> = new Set(
  'agent_rude customer_frustrated dead_air long_silence_share agent_interrupts repeat_requested cancel_intent competitor_mentioned repeat_contact'.split(
    ' ',
  ),
)

/** What triggers an entry where it isn't simply one of its signals gone wrong, or all of them gone right. */
const triggers: Readonly<Record<string, Rule>> = {
  'guide.show_empathy': any(is('empathy_shown', 'absent'), all(is('customer_frustrated'), not(is('empathy_shown')))),
  'guide.thank_for_hold': all(is('hold_requested'), is('hold_thanked', 'absent')),
  'guide.explain_next_step': any(
    is('next_step_given', 'absent'),
    all(is('callback_promised'), not(is('next_step_given'))),
  ),
  'guide.precise_listening': all(is('details_read_back'), is('reason_captured')),
  'guide.calm_under_pressure': all(any(is('customer_frustrated'), is('escalation')), not(is('agent_rude'))),
  'guide.clear_resolution': all(is('resolution_stated'), is('customer_confirms'), is('next_step_given')),
}

/** The guidance of the default rubric: the catalog's entries with what triggers each. */
export const supportGuidance: readonly Guide[] = builtInGuidance.map(entry => ({
  key: entry.guide_key,
  name: entry.display_name,
  description: entry.description,
  kind: entry.guidance_kind,
  priority: entry.priority,
  actionability: entry.actionability,
  when: triggers[entry.guide_key] ?? triggerOf(entry),
}))

/** An opportunity: one of its signals speaks against the call. An excellence: all of them speak for it. */
function triggerOf({ guidance_kind: kind, signal_keys: keys }: (typeof builtInGuidance)[number]): Rule {
  const rules = keys.map(key => {
    const name = key.slice('sig.'.length)
    return is(name, kind === 'excellence' || PRESENT.has(name) ? 'present' : 'absent')
  })
  const [first] = rules
  if (first !== undefined && rules.length === 1) return first
  return kind === 'excellence' ? all(...rules) : any(...rules)
}
