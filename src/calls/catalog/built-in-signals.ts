import type { SignalEntry } from './signal-entry.js'

type Category = SignalEntry['category']

function entry(
  name: string,
  category: Category,
  display_name: string,
  description: string,
  applicable_verticals: string[] = [],
): SignalEntry {
  return { signal_key: `sig.${name}`, display_name, description, category, applicable_verticals, active: true }
}

/** The signals of the default rubric for support calls, in the order in which a call meets them. */
export const builtInSignals: readonly SignalEntry[] = [
  entry('greeting_given', 'opening', 'Greeting given', "The agent greets in one of the agent's first three turns."),
  entry(
    'brand_named',
    'opening',
    'Company named',
    "The agent names the company in one of the agent's first three turns.",
  ),
  entry(
    'agent_named',
    'opening',
    'Agent named',
    "The agent gives their own name in one of the agent's first three turns.",
  ),
  entry(
    'help_offered',
    'opening',
    'Help offered',
    "The agent asks how they can help in one of the agent's first three turns.",
  ),

  entry(
    'reason_captured',
    'listening',
    'Reason captured',
    "The customer's reason for calling becomes clear in one of the customer's first four turns.",
  ),
  entry(
    'details_read_back',
    'listening',
    'Details read back',
    'The agent repeats at least two values the customer gave, such as numbers, days or account kinds.',
  ),
  entry(
    'repeat_requested',
    'listening',
    'Repeat requested',
    'The agent asks the customer to say something again. Counts against the call.',
  ),
  entry(
    'agent_interrupts',
    'listening',
    'Agent interrupts',
    'The agent starts to speak 0.3 seconds or more before the customer has ended a turn of a second or more. Counts against the call.',
  ),

  entry(
    'identity_verified',
    'process',
    'Identity verified',
    'The agent asks for something that identifies the customer and gets it. Unclear when the task itself needs that datum.',
  ),
  entry(
    'hold_requested',
    'process',
    'Hold announced',
    'The agent announces a wait before it begins. Weighs nothing by itself.',
  ),
  entry(
    'dead_air',
    'process',
    'Dead air',
    'Nobody speaks for ten seconds or more, and the agent did not announce it. Counts against the call.',
  ),
  entry(
    'long_silence_share',
    'process',
    'Long silences',
    'Gaps of five seconds and more fill at least 30 % of the call. Counts against the call.',
  ),

  entry('hold_thanked', 'courtesy', 'Thanked for waiting', 'After a wait the agent thanks the customer for it.'),
  entry(
    'willingness_shown',
    'courtesy',
    'Willingness shown',
    'Within two turns after the reason the agent shows they are glad to help.',
  ),
  entry(
    'empathy_shown',
    'courtesy',
    'Empathy shown',
    'When the customer voices trouble the agent answers it with regret or understanding.',
  ),
  entry(
    'customer_frustrated',
    'courtesy',
    'Customer frustrated',
    'The customer voices anger or exasperation. Counts against the call.',
  ),
  entry(
    'agent_rude',
    'courtesy',
    'Agent rude',
    'The agent insults, mocks or dismisses the customer. Counts heavily against the call.',
  ),

  entry(
    'resolution_stated',
    'resolution',
    'Resolution stated',
    'The agent says that the matter is done, sent, ordered or answered. Absent only when a refusal is heard, otherwise unclear.',
  ),
  entry(
    'customer_confirms',
    'resolution',
    'Customer confirms',
    'After the resolution the customer confirms it: thanks, great, that is all.',
  ),
  entry('next_step_given', 'resolution', 'Next step given', 'The agent says what happens next and when.'),

  entry(
    'further_help_offered',
    'closing',
    'Further help offered',
    'Before the end the agent asks whether there is anything else.',
  ),
  entry(
    'closing_courtesy',
    'closing',
    'Courteous closing',
    'The agent takes leave courteously in the last three turns.',
  ),

  entry('escalation', 'context', 'Escalation', 'The call is passed to a supervisor or the customer asks for one.'),
  entry('callback_promised', 'context', 'Callback promised', 'The agent promises that someone will call back.'),
  entry('cancel_intent', 'context', 'Intent to cancel', 'The customer says that they want to cancel, close or leave.'),
  entry('competitor_mentioned', 'context', 'Competitor mentioned', 'The customer names another provider or its offer.'),
  entry(
    'repeat_contact',
    'context',
    'Repeat contact',
    'The customer says that they have been in touch about this before.',
  ),
  entry(
    'compliance_disclosure',
    'context',
    'Compliance disclosure',
    'The agent reads a disclosure the law or the company asks for, such as that the call is recorded.',
    ['banking', 'insurance', 'healthcare', 'utilities', 'telecom'],
  ),
]
