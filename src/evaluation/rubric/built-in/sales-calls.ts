import { type RubricInput, type Rubric, rubric } from '../rubric.js'
import { sharedPhrases } from './shared-phrases.js'
import { agentSays, all, any, customerSays, is, not } from './rules.js'
import { salesPhrases } from './sales-phrases.js'
import { supportCalls } from './support-calls.js'

type Signal = RubricInput['signals'][number]

const bad = { weight: 3, negative: true }

const own: readonly Signal[] = [
  {
    key: 'sig.purpose_stated',
    name: 'Purpose stated',
    description: "The agent says why they call in one of the agent's first four turns.",
    category: 'opening',
    weight: 3,
    present: agentSays(['$purpose'], { first: 4 }),
    coaching: {
      strength: 'The purpose of the call was clear at once.',
      improvement: 'The agent did not say why they call.',
      next_step: 'Say in one sentence why you call, before anything else.',
    },
  },
  {
    key: 'sig.open_questions_asked',
    name: 'Open questions asked',
    description: 'The agent asks open questions in at least two turns.',
    category: 'discovery',
    weight: 4,
    present: agentSays(['$open_question'], { not: ['$not_open_question'], at_least: 2 }),
    unclear: agentSays(['$open_question'], { not: ['$not_open_question'] }),
    coaching: {
      strength: 'Open questions brought out what matters.',
      improvement: 'Hardly a question was open.',
      next_step: 'Ask two questions that cannot be answered with yes or no before you present anything.',
    },
  },
  {
    key: 'sig.need_confirmed',
    name: 'Need confirmed',
    description: "The agent puts the customer's need in their own words.",
    category: 'discovery',
    weight: 3,
    present: agentSays(['$need'], { not: ['$not_need'] }),
    coaching: {
      strength: 'The need was put in words and confirmed.',
      improvement: 'The need was not put in words.',
      next_step: 'Sum up what the customer needs, and ask whether that is right.',
    },
  },
  {
    key: 'sig.budget_discussed',
    name: 'Budget discussed',
    description: 'The agent asks what may be spent.',
    category: 'discovery',
    weight: 2,
    present: agentSays(['$budget']),
    coaching: { strength: 'The budget was asked for.', improvement: 'The budget was not asked for.' },
  },
  {
    key: 'sig.decision_maker_asked',
    name: 'Decision maker asked for',
    description: 'The agent asks who decides.',
    category: 'discovery',
    weight: 2,
    present: agentSays(['$decision_maker']),
    coaching: { strength: 'Who decides was asked.', improvement: 'Who decides was not asked.' },
  },
  {
    key: 'sig.timeline_asked',
    name: 'Timeline asked for',
    description: 'The agent asks by when it is needed.',
    category: 'discovery',
    weight: 2,
    present: agentSays(['$timeline']),
    coaching: { strength: 'The timeline was asked for.', improvement: 'The timeline was not asked for.' },
  },
  {
    key: 'sig.agent_talks_too_much',
    name: 'Agent talks too much',
    description: 'The agent has 70 % of the talking time or more; unclear from 60 %. Counts against the call.',
    category: 'discovery',
    ...bad,
    present: { talk: { by: 'agent', at_least: 0.7 } },
    unclear: { talk: { by: 'agent', at_least: 0.6, below: 0.7 } },
    coaching: { improvement: 'The agent did most of the talking.', next_step: 'Ask, then wait for the answer.' },
  },
  {
    key: 'sig.value_stated',
    name: 'Value stated',
    description: 'The agent says what the customer gains.',
    category: 'value',
    weight: 3,
    present: agentSays(['$value'], { not: ['$not_value'] }),
    coaching: {
      strength: 'What the customer gains was said.',
      improvement: 'What the customer gains was not said.',
      next_step: 'Tie one benefit to what the customer told you.',
    },
  },
  {
    key: 'sig.proof_given',
    name: 'Proof given',
    description: 'The agent names other customers, a trial or a guarantee.',
    category: 'value',
    weight: 2,
    present: agentSays(['$proof']),
    coaching: { strength: 'Proof was given.', improvement: 'No proof was given.' },
  },
  {
    key: 'sig.price_stated',
    name: 'Price stated',
    description: 'The agent names a price.',
    category: 'context',
    present: agentSays(['$price'], { not: ['$not_price'] }),
  },
  {
    key: 'sig.objection_raised',
    name: 'Objection raised',
    description: 'The customer has something against it.',
    category: 'context',
    side: 'customer',
    present: customerSays(['$objection'], { not: ['$not_objection'] }),
  },
  {
    key: 'sig.objection_answered',
    name: 'Objection answered',
    description: 'After an objection the agent takes it up within two turns.',
    category: 'objections',
    weight: 3,
    applies: is('objection_raised'),
    present: agentSays(['$objection_answer'], {
      not: ['$not_objection_answer'],
      after: { rule: customerSays(['$objection'], { not: ['$not_objection'] }), turns: 2 },
    }),
    coaching: {
      strength: 'The objection was taken up.',
      improvement: 'The objection was passed over.',
      next_step: 'Repeat the objection in your own words before you answer it.',
    },
  },
  {
    key: 'sig.commitment_asked',
    name: 'Commitment asked for',
    description: 'The agent asks the customer to decide or to take the next step.',
    category: 'commitment',
    weight: 4,
    present: agentSays(['$commitment'], { not: ['$not_commitment'] }),
    coaching: {
      strength: 'The agent asked for the order.',
      improvement: 'The agent did not ask for a decision.',
      next_step: 'Ask for one concrete decision before you say goodbye.',
    },
  },
  {
    key: 'sig.meeting_set',
    name: 'Next meeting set',
    description: 'A call, meeting or demonstration is proposed or agreed.',
    category: 'commitment',
    weight: 3,
    present: agentSays(['$meeting'], { not: ['$not_meeting'] }),
    coaching: {
      strength: 'The next meeting was set.',
      improvement: 'No next meeting was set.',
      next_step: 'Put the next conversation into the calendar while the customer is on the line.',
    },
  },
  {
    key: 'sig.customer_interested',
    name: 'Customer interested',
    description: 'The customer shows interest or agrees.',
    category: 'context',
    side: 'customer',
    present: customerSays(['$interest'], { not: ['$not_interest'] }),
  },
  {
    key: 'sig.customer_declines',
    name: 'Customer declines',
    description: 'The customer says no.',
    category: 'context',
    side: 'customer',
    present: customerSays(['$decline']),
  },
]

const CATEGORY: Readonly<Record<string, string>> = {
  greeting_given: 'opening',
  brand_named: 'opening',
  agent_named: 'opening',
  agent_interrupts: 'courtesy',
  agent_rude: 'courtesy',
  customer_frustrated: 'courtesy',
  closing_courtesy: 'courtesy',
  competitor_mentioned: 'context',
  compliance_disclosure: 'context',
}

/** Signals that sales and support calls have in common, as the default rubric detects them. */
const shared: readonly Signal[] = supportCalls.signals.flatMap(signal => {
  const category = CATEGORY[signal.key.slice('sig.'.length)]
  return category === undefined ? [] : [{ ...signal, category }]
})

const salesCallsInput: RubricInput = {
  name: 'sales-calls',
  title: 'Sales calls',
  language: 'en',
  dimensions: [
    { key: 'opening', name: 'Opening', weight: 15 },
    { key: 'discovery', name: 'Discovery', weight: 30 },
    { key: 'value', name: 'Value', weight: 15 },
    { key: 'objections', name: 'Objections', weight: 10 },
    { key: 'commitment', name: 'Commitment', weight: 20 },
    { key: 'courtesy', name: 'Courtesy', weight: 10 },
  ],
  caps: [{ key: 'rude', most: 1, when: is('agent_rude'), reason: 'the agent was rude' }],
  csat: {
    start: 3.4,
    parts: [
      { key: 'interested', add: 0.8, when: is('customer_interested'), side: 'customer', reason: 'interested' },
      { key: 'declines', add: -0.6, when: is('customer_declines'), side: 'customer', reason: 'declines' },
      { key: 'rude', add: -2, when: is('agent_rude'), side: 'customer', reason: 'treated rudely' },
      { key: 'frustrated', add: -1.2, when: is('customer_frustrated'), side: 'customer', reason: 'frustrated' },
      { key: 'closing', add: 0.2, when: is('closing_courtesy'), side: 'agent', reason: 'courteous goodbye' },
      { key: 'interrupted', add: -0.2, when: is('agent_interrupts'), side: 'agent', reason: 'interrupted' },
    ],
  },
  backchannels: ['$backchannel'],
  readings: [
    {
      key: 'outcome',
      values: [
        { value: 'meeting', when: all(is('meeting_set'), not(is('customer_declines'))) },
        { value: 'declined', when: is('customer_declines') },
        { value: 'open' },
      ],
    },
  ],
  drivers: {
    turns: 4,
    table: [
      { driver: 'demo request', any: ['(demo|demonstration|trial|see it in action|walkthrough)'] },
      { driver: 'pricing question', any: ['(price|prices|pricing|quote|cost|costs|how much|estimate)'] },
      { driver: 'renewal', any: ['(renew|renewal|renewing|expires|expiring|extend my)'] },
      { driver: 'upgrade', any: ['(upgrade|upgrading|more seats|more users|bigger plan|add users|premium)'] },
      {
        driver: 'new purchase',
        any: [
          '(buy|buying|purchase|order|sign up|get started|looking for|interested in|in the market for)',
          '(need|want|after|like) (a new|another|something|some new|new) *',
        ],
      },
    ],
  },
  signals: [...shared, ...own],
  guidance: [
    {
      key: 'guide.ask_before_telling',
      name: 'Ask before you tell',
      description: 'Ask open questions until you can say what the customer needs, and only then present.',
      kind: 'opportunity',
      priority: 'p0',
      actionability: 'high',
      when: any(is('open_questions_asked', 'absent'), is('agent_talks_too_much')),
    },
    {
      key: 'guide.ask_for_the_order',
      name: 'Ask for a decision',
      description: 'End with one concrete question: to order, to try, or to meet at a time you both write down.',
      kind: 'opportunity',
      priority: 'p1',
      actionability: 'high',
      when: all(is('commitment_asked', 'absent'), is('meeting_set', 'absent')),
    },
    {
      key: 'guide.take_up_objections',
      name: 'Take up objections',
      description: 'Show that you heard the objection, ask what stands behind it, and answer that.',
      kind: 'opportunity',
      priority: 'p1',
      actionability: 'high',
      when: is('objection_answered', 'absent'),
    },
    {
      key: 'guide.full_discovery',
      name: 'A full discovery',
      description: 'Needs, budget, decision and timeline were asked for.',
      kind: 'excellence',
      priority: 'p1',
      actionability: 'high',
      when: all(is('open_questions_asked'), is('budget_discussed'), is('decision_maker_asked'), is('timeline_asked')),
    },
  ],
  lists: Object.fromEntries(
    Object.entries({ ...sharedPhrases, ...salesPhrases }).map(([name, phrases]) => [name, [...phrases]]),
  ),
}

/** The second built-in rubric: for people who sell. */
export const salesCalls: Rubric = rubric.parse(salesCallsInput)
