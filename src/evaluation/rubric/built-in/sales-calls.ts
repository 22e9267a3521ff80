import { type RubricInput, type Rubric, rubric } from '../rubric.js'
import { sharedPhrases } from './phrases.js'
import { agentSays, all, any, customerSays, is, not } from './rules.js'
import { supportCalls } from './support-calls.js'

type Signal = RubricInput['signals'][number]

/** Phrases of sales calls, by the name the rubric's rules give them. */
const salesPhrases: Readonly<Record<string, readonly string[]>> = {
  purpose: [
    '(calling|reaching out|ringing|phoning) [you] [today] (about|because|regarding|to|with|in regards to)',
    '(reason|purpose) (for|of|i am) [my|the|this] (call|calling)',
    '(following|follow) up (on|about|with)',
    '(you|saw that you|i see you) [recently] (requested|asked for|signed up|filled out|downloaded|registered|enquired|inquired)',
  ],
  open_question: [
    '(how|what|which|why|who) (do|does|are|is|would|have|did|will|kind of|sort of|type of) (you|your|the|that|matters|it)',
    'how [many|much|often|long|big|well] *  (do|does|are|is) (you|your)',
    '(tell me|walk me through|talk me through|describe|help me understand) *',
    'what (challenges|problems|goals|tools|is important|matters|else|made you|brings you|are you looking|would it mean)',
  ],
  not_open_question: [
    'how are you',
    'how is your day',
    'how (can|may) (i|we) help',
    'how (do you do|are things)',
    'what is your name',
  ],
  need: [
    '(so|if i understand|it sounds like|sounds like|what i hear|what i am hearing) [*] ~ (you|your) (need|needs|want|are looking|would like|struggle|are struggling|main|biggest)',
    '(so you|you) (need|are looking for|want) ~ (right|correct|is that right)',
    'did i (get|understand) that (right|correctly)',
  ],
  budget: [
    'budget',
    'price range',
    '(how much|what) ~ (spend|spending|invest|paying|pay) [now|today|at the moment|currently]',
    'set aside',
  ],
  decision_maker: [
    '(who|anyone|anybody|someone) else ~ (decision|decide|involved|sign|approve|weigh in)',
    '(make|makes|making|takes) [*] decision',
    '(decision maker|decision makers|decision process|sign off|signs off)',
  ],
  timeline: [
    '(when|how soon) (do|would|are|will|did) you [*] (need|want|like|looking|plan|planning|start|hope)',
    '(timeline|time frame|timeframe|deadline|start date|go live)',
    'by when',
  ],
  value: [
    '(save|saves|saving) you ~ (time|money|hours|percent|dollars|a lot|costs)',
    '(help|helps|allow|allows|let|lets|enable|enables|means) you ~',
    '(reduce|reduces|cut|cuts|increase|increases|double|doubles|improve|improves) [your] *',
    '(benefit|advantage|difference) (is|of|for you)',
    'so that you (can|do not|will|never)',
  ],
  proof: [
    '(customers|clients|companies|businesses|people) (like you|such as|in your|similar|use|have seen|save|tell us)',
    '(case study|reference|testimonial|reviews|free trial|money back guarantee|pilot)',
    'one of our (customers|clients)',
  ],
  objection: [
    '(too expensive|too much money|cannot afford|can not afford|not in the budget|no budget|costs too much|too pricey|cheaper)',
    '(not|never) [*] (interested|sure|convinced|ready|the right time|a good time|looking)',
    '(need|have|want) to (think about it|think it over|talk to|discuss|check with)',
    '(already|happy with|using|locked in with|under contract) [*] (have|use|using|provider|supplier|contract|another|our current)',
    '(concern|worry|worried|hesitant|skeptical|my problem with)',
    '(send|email) me (an email|some information|something|the details)',
  ],
  objection_answer: [
    '(understand|hear you|appreciate that|fair|get that|makes sense|good point|good question|valid)',
    '(what if|would it help|let me explain|actually|the reason is|compared to|may i ask|can i ask|what would)',
    '(other|many|most) (customers|clients|people) (felt|thought|said|had)',
  ],
  price: [
    '{number} [*] (dollars|euros|pounds|percent|a month|per month|a year|per user|per seat|per month)',
    '(price|cost|costs|rate|fee) (is|starts|would be|comes to|of)',
  ],
  commitment: [
    '(would|shall|can|do|are|should) (you|we|i) ~ (go ahead|move forward|get started|sign|place the order|book|try it|set it up|start|send you the contract|proceed|ready to)',
    '(ready to|like to|want to) (go ahead|move forward|get started|sign up|order|proceed)',
    '(credit card|contract|agreement|paperwork|order form) ~ (send|sign|number|over|today)',
    'what would it take',
  ],
  meeting: [
    '(schedule|book|set up|arrange|put) ~ (call|meeting|demo|time|appointment|something)',
    '(calendar|invite|invitation)',
    '(talk|speak|call|meet|see you|follow up|call you) [again|back|you] [on|next|this|at] (monday|tuesday|wednesday|thursday|friday|tomorrow|week|{number})',
    '(does|would|how about|is) [*] (monday|tuesday|wednesday|thursday|friday|tomorrow) [*] [*] (work|suit|good|okay)',
  ],
  interest: [
    '(interested|interesting|sounds good|sounds great|sounds interesting|love that|like that|like the|exactly what|tell me more|perfect|great|awesome)',
    '(sign me up|i will take it|i will take|let us do it|go ahead|send me the contract|i am in|deal|where do i sign)',
  ],
  not_interest: ['not [*] (interested|great|perfect|interesting)', 'have (a|an) [*] (great|good|wonderful) *'],
  decline: [
    '(not|no longer) [*] interested',
    'no (thanks|thank you)',
    '(do not|stop) (call|calling|contact) ~',
    '(take me off|remove me from) *',
    '(waste|wasting) ~ time',
  ],
}

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
    present: agentSays(['$need']),
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
    present: agentSays(['$value']),
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
    present: agentSays(['$price']),
  },
  {
    key: 'sig.objection_raised',
    name: 'Objection raised',
    description: 'The customer has something against it.',
    category: 'context',
    side: 'customer',
    present: customerSays(['$objection']),
  },
  {
    key: 'sig.objection_answered',
    name: 'Objection answered',
    description: 'After an objection the agent takes it up within two turns.',
    category: 'objections',
    weight: 3,
    applies: is('objection_raised'),
    present: agentSays(['$objection_answer'], { after: { rule: customerSays(['$objection']), turns: 2 } }),
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
    present: agentSays(['$commitment']),
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
    present: agentSays(['$meeting']),
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
      { key: 'frustrated', add: -1.2, when: is('customer_frustrated'), side: 'customer', reason: 'frustrated' },
      { key: 'closing', add: 0.2, when: is('closing_courtesy'), side: 'agent', reason: 'courteous goodbye' },
      { key: 'interrupted', add: -0.2, when: is('agent_interrupts'), side: 'agent', reason: 'interrupted' },
    ],
  },
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
      { driver: 'new purchase', any: ['(buy|buying|purchase|order|sign up|get started|looking for|interested in)'] },
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

export const SALES_CALLS_VERSION = '2'

/** The second built-in rubric: for people who sell. */
export const salesCalls: Rubric = rubric.parse(salesCallsInput)
