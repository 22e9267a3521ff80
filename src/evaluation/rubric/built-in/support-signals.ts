import { builtInSignals } from '../../../calls/catalog/built-in-signals.js'
import type { RubricInput } from '../rubric.js'
import type { Rule } from '../rule.js'
import { agentSays, all, any, anyoneSays, customerSays, is, not } from './rules.js'

type Signal = RubricInput['signals'][number]
type Detection = Omit<Signal, 'key' | 'name' | 'description' | 'category' | 'verticals' | 'active'>

/** Words besides numbers that count as a value: days and kinds of account. */
const VALUES =
  'monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december tomorrow noon midnight savings checking debit credit cheque chequing mortgage business joint platinum gold'.split(
    ' ',
  )
const values = { numbers: true, words: VALUES, at_least: 2 }

const FIRST = { first: 3 }
const TIMES = { at_least_s: 10, unless: { by: 'agent' as const, any: ['$hold'], turns: 3 } }
const SHORTER = { ...TIMES, at_least_s: 8, below_s: 10 }

const holdThanks = any(
  agentSays(['$hold_thanks'], { not: ['$not_hold_thanks'] }),
  agentSays(['$patience_thanks'], {
    not: ['$not_hold_thanks'],
    after: { rule: agentSays(['$hold'], { not: ['$not_hold'] }) },
  }),
)
const reason: Rule = { driver: { heard: true } }
/** What is broken is trouble, however it is put. */
const BROKEN = ['technical problem', 'complaint', 'billing dispute']
const trouble = any(
  customerSays(['$trouble']),
  // Who has to ask again is in trouble, whatever it is about.
  customerSays(['$contacted_before'], { not: ['$not_contacted_before'] }),
  { driver: { is: BROKEN, heard: true } },
  { driver: { is: BROKEN, hinted: true } },
)
/** Said to nobody but those in trouble: it tells of it where the customer's own words do not. */
const sympathy = agentSays(['$sympathy'], { not: ['$not_regret'] })
/** Opening hours and amounts answer those who asked for them. */
const resolved = any(
  agentSays(['$resolution'], { not: ['$not_resolution'] }),
  agentSays(['$you_are_set']),
  all({ driver: { is: ['get branch hours'] } }, agentSays(['$hours'])),
  all({ driver: { is: ['check balance'] } }, agentSays(['$amount'])),
)
const refused = agentSays(['$refusal'], { not: ['$not_refusal'] })

/** The agent asks for something, and what the customer says next is no way out. */
const given = (asked: string): Rule =>
  customerSays([], {
    not: ['$withheld'],
    after: { rule: agentSays([`$${asked}`], { not: ['$not_identity'] }), turns: 1 },
  })

/** Tasks that need an address, number or e-mail for themselves, so that asking for it proves nothing. */
const NEEDS_DATUM = [
  'reset password',
  'replace card',
  'order checks',
  'transfer money',
  'pay bill',
  'schedule appointment',
  'return or refund',
  'order or shipping',
  'technical problem',
  'account change',
]

const detections: Readonly<Record<string, Detection>> = {
  greeting_given: {
    weight: 3,
    present: agentSays(['$greeting'], { ...FIRST, not: ['$not_greeting'] }),
    coaching: {
      strength: 'The customer was greeted.',
      improvement: 'The call began without a greeting.',
      next_step: 'Begin the next call with a greeting.',
    },
  },
  brand_named: {
    weight: 2,
    present: any(
      agentSays(['$brand'], { ...FIRST, not: ['$not_brand'] }),
      agentSays(['$brand_form'], { first: 1, not: ['$not_brand_form'] }),
      agentSays(['$name_form'], { first: 1, not: ['$not_name_form'] }),
    ),
    coaching: {
      strength: 'The company was named at the beginning.',
      improvement: 'The company was not named at the beginning.',
      next_step: 'Name the company in the opening sentence.',
    },
  },
  agent_named: {
    weight: 2,
    present: any(
      agentSays(['$own_name'], { ...FIRST, not: ['$not_own_name'] }),
      agentSays(['$name_form'], { first: 1, not: ['$not_name_form'] }),
    ),
    coaching: {
      strength: 'The agent gave their name.',
      improvement: 'The agent did not give their name.',
      next_step: 'Give your name in the opening sentence.',
    },
  },
  help_offered: {
    weight: 3,
    present: agentSays(['$help_offer'], FIRST),
    coaching: {
      strength: 'Help was offered at once.',
      improvement: 'Help was not offered at the beginning.',
      next_step: 'Ask how you can help before anything else.',
    },
  },
  reason_captured: {
    weight: 2,
    present: reason,
    unclear: { driver: { hinted: true } },
    coaching: {
      strength: 'The reason for the call was clear early.',
      improvement: 'The reason for the call did not become clear in the first turns.',
      next_step: 'Ask one open question about the reason, and put the answer in your own words.',
    },
  },
  details_read_back: {
    weight: 3,
    applies: { gave: { by: 'customer', ...values } },
    present: { repeats: { by: 'agent', ...values } },
    coaching: {
      strength: 'Details were read back.',
      improvement: 'Details the customer gave were not read back.',
      next_step: 'Repeat numbers, days and accounts before acting on them.',
    },
  },
  repeat_requested: {
    weight: 2,
    negative: true,
    present: agentSays(['$repeat_please'], { not: ['$not_repeat_please'] }),
    coaching: {
      improvement: 'The customer was asked to say something again.',
      next_step: 'Note details as they come, and read them back instead of asking again.',
    },
  },
  agent_interrupts: {
    weight: 3,
    negative: true,
    present: { overlap: { by: 'agent', at_least_s: 0.3, turn_at_least_s: 1 } },
    coaching: {
      improvement: 'The customer was cut off.',
      next_step: 'Let the customer end the sentence before you answer.',
    },
  },
  identity_verified: {
    weight: 3,
    applies: not({ driver: { is: ['get branch hours'] } }),
    present: any(given('identity_ask'), all(given('datum_ask'), not({ driver: { is: NEEDS_DATUM } }))),
    unclear: given('datum_ask'),
    coaching: {
      strength: "The customer's identity was verified.",
      improvement: "The customer's identity was not verified.",
      next_step: 'Ask for two identifying details before you open the account.',
    },
  },
  hold_requested: { present: agentSays(['$hold'], { not: ['$not_hold'] }) },
  dead_air: {
    weight: 3,
    negative: true,
    present: { gap: TIMES },
    unclear: { gap: SHORTER },
    coaching: {
      improvement: 'The customer waited in silence without knowing why.',
      next_step: 'Say what you are doing, and how long it takes, before you go quiet.',
    },
  },
  long_silence_share: {
    weight: 2,
    negative: true,
    present: { silence: { gaps_of_s: 5, at_least: 0.3 } },
    unclear: { silence: { gaps_of_s: 5, at_least: 0.2, below: 0.3 } },
    coaching: {
      improvement: 'A large part of the call was silence.',
      next_step: 'Fill long waits with what you are doing, or offer to call back.',
    },
  },
  hold_thanked: {
    weight: 1,
    applies: any(is('hold_requested'), holdThanks),
    present: holdThanks,
    coaching: {
      strength: 'The customer was thanked for waiting.',
      improvement: 'The customer was not thanked for waiting.',
      next_step: 'Come back from a wait with a thank-you.',
    },
  },
  willingness_shown: {
    weight: 3,
    applies: is('reason_captured'),
    present: agentSays(['$willing'], { not: ['$not_willing'], after: { rule: reason, turns: 2 } }),
    coaching: {
      strength: 'The agent was glad to help.',
      improvement: 'The reason was met without a word of willingness.',
      next_step: 'Answer the reason with a short yes before the first question.',
    },
  },
  empathy_shown: {
    weight: 3,
    applies: any(trouble, sympathy),
    present: any(agentSays(['$regret'], { not: ['$not_regret'], after: { rule: trouble } }), sympathy),
    coaching: {
      strength: 'The trouble was acknowledged.',
      improvement: 'The customer voiced trouble, and it was not acknowledged.',
      next_step: 'Name the trouble and say that you are sorry before you go on.',
    },
  },
  customer_frustrated: {
    weight: 2,
    negative: true,
    side: 'customer',
    present: customerSays(['$upset'], { not: ['$not_upset'] }),
    coaching: { improvement: 'The customer was upset.', next_step: 'Answer the anger first, the matter second.' },
  },
  agent_rude: {
    weight: 5,
    negative: true,
    present: agentSays(['$rude'], { not: ['$not_rude'] }),
    coaching: {
      improvement: 'The customer was treated rudely.',
      next_step: 'Keep to neutral words, and ask a supervisor to take over before patience ends.',
    },
  },
  resolution_stated: {
    weight: 5,
    side: 'customer',
    // What is said last counts: a refusal after it makes it doubtful, one before it does not.
    present: any(
      all(resolved, not(refused)),
      agentSays(['$resolution'], { not: ['$not_resolution'], after: { rule: refused } }),
    ),
    absent: all(refused, not(resolved)),
    coaching: {
      strength: 'The customer heard what was done.',
      improvement: 'The matter was refused.',
      next_step: 'Say in one sentence what you can do instead.',
    },
  },
  customer_confirms: {
    weight: 3,
    side: 'customer',
    applies: not(is('resolution_stated', 'absent')),
    present: any(
      customerSays(['$content'], { not: ['$not_content'], after: { rule: resolved } }),
      all(is('resolution_stated'), customerSays(['$content'], { not: ['$not_content'], last: 2 })),
    ),
    unclear: all(is('resolution_stated', 'unclear'), customerSays(['$content'], { not: ['$not_content'], last: 3 })),
    coaching: {
      strength: 'The customer confirmed that it was settled.',
      improvement: 'The customer did not confirm that it was settled.',
      next_step: 'Ask whether the matter is settled for them.',
    },
  },
  next_step_given: {
    weight: 1,
    present: agentSays(['$next_step'], { not: ['$not_next_step'] }),
    coaching: {
      strength: 'The next step was explained.',
      improvement: 'The customer did not hear what happens next.',
      next_step: 'Say what happens next, who does it and by when.',
    },
  },
  further_help_offered: {
    weight: 4,
    present: agentSays(['$further_help'], { not: ['$not_further_help'] }),
    coaching: {
      strength: 'Further help was offered.',
      improvement: 'Further help was not offered.',
      next_step: 'Ask whether there is anything else before you say goodbye.',
    },
  },
  closing_courtesy: {
    weight: 4,
    present: any(
      agentSays(['$farewell'], { last: 3, after: { rule: customerSays([]) } }),
      agentSays(['$thanks_for_call'], { last: 3, after: { rule: customerSays([]) } }),
    ),
    coaching: {
      strength: 'The call ended courteously.',
      improvement: 'The call ended without a courteous goodbye.',
      next_step: 'Take leave with a wish for the day.',
    },
  },
  escalation: { present: anyoneSays(['$manager'], { not: ['$not_manager'] }) },
  callback_promised: { present: agentSays(['$callback'], { not: ['$not_callback'] }) },
  cancel_intent: { side: 'customer', present: customerSays(['$leaving'], { not: ['$not_leaving'] }) },
  competitor_mentioned: { side: 'customer', present: customerSays(['$competitor'], { not: ['$not_competitor'] }) },
  repeat_contact: {
    side: 'customer',
    present: customerSays(['$contacted_before'], { not: ['$not_contacted_before'] }),
  },
  compliance_disclosure: { present: anyoneSays(['$disclosure']) },
}

/** The signals of the default rubric: the catalog's entries with how each is detected and what it weighs. */
export const supportSignals: readonly Signal[] = builtInSignals.map(entry => {
  const detection = detections[entry.signal_key.slice('sig.'.length)]
  if (detection === undefined) throw new Error(`The default rubric does not say how ${entry.signal_key} is detected`)
  const { signal_key: key, display_name: name, description, category, applicable_verticals: verticals } = entry
  return { key, name, description, category, ...(verticals.length > 0 && { verticals: [...verticals] }), ...detection }
})
