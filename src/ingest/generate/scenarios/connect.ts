import type { Scenario } from './scenario.js'

const company = 'Alder Connect'

/** Calls to a provider of telephone and internet. */
export const connect: readonly Scenario[] = [
  {
    driver: 'billing dispute',
    company,
    queue: 'Billing',
    weight: 6,
    ease: 0.48,
    reasons: [
      { title: 'Charge that was not ordered', says: 'There is a charge of {amount} on my bill that I did not order.' },
      { title: 'Charged twice', says: 'I was charged twice this month, {amount} each time.', hurts: true },
      { title: 'Bill higher than agreed', says: 'My bill is much higher than what we agreed, I want to dispute it.' },
    ],
    trouble: ["That is money I need for the rent, so I'm worried.", 'It is the same mistake every single month.'],
    steps: [
      {
        ask: ['Which invoice is it on?', 'Can you tell me the date of the bill?'],
        answer: ['The one from {day}.', 'Number {case}, from {day}.'],
      },
      {
        ask: ['How is the charge called on the bill?', 'What does it say beside the amount?'],
        answer: ['It says premium service.', 'It only says other services.'],
      },
      {
        ask: ['Did you change anything in your plan lately?', 'Did you order an option in the app?'],
        answer: ['No, nothing at all.', 'Not that I know of.'],
      },
    ],
    readBack: [
      'So {amount}, on the bill from {day}, and you did not order it.',
      'That is {amount} on invoice {case}, right?',
    ],
    resolve: [
      'I have credited the {amount} to your account.',
      'The charge is taken off and a new bill has been sent.',
      "Okay, I've removed that charge.",
    ],
    refuse: [
      "I'm afraid the charge is right and I can't take it off.",
      "I can't credit that, the option was ordered from your account.",
    ],
    next: ['You should see the credit on your next bill.', 'The new invoice arrives within {days} business days.'],
    asides: [
      {
        ask: ['Do I have to pay the old bill first?', 'Will there be a late fee now?'],
        answer: ['No, please wait for the new one.', 'No, I have stopped the reminders.'],
      },
      {
        ask: ['How can I make sure that it does not happen again?'],
        answer: ['I have blocked orders by third parties on your line.'],
      },
    ],
  },
  {
    driver: 'technical problem',
    company,
    queue: 'Technical support',
    weight: 10,
    ease: 0.56,
    reasons: [
      { title: 'Internet down', says: 'My internet has not been working since {day}.', hurts: true },
      { title: 'Connection drops', says: 'The connection keeps dropping, mostly at about {time}.' },
      { title: 'Device does not connect', says: "My {product} doesn't connect any more." },
    ],
    trouble: [
      'I work from home, so this is a real problem for me.',
      "I have restarted it ten times and nothing helps, I'm stuck.",
    ],
    steps: [
      {
        ask: ['Which lights are on at the router?', 'Is the light on the box green or red?'],
        answer: ['The first one blinks red.', 'Everything is green but the last one.'],
      },
      {
        ask: [
          'Could you unplug it for thirty seconds and plug it in again?',
          'Please press the button on the back until it blinks.',
        ],
        answer: ['Okay, I have done that.', 'Done, it is starting again.'],
      },
      {
        ask: ['Is it the same with a cable?', 'Does another device work?'],
        answer: ['It is the same with a cable.', 'No, none of them works.'],
      },
    ],
    readBack: [
      'So it started on {day}, mostly at {time}, and the light is red.',
      'Let me sum up: since {day}, on the line ending in {last4}.',
    ],
    resolve: [
      'I have reset your line and I can see that it is stable now.',
      'I found the fault in our network and it is fixed.',
      "Alright, that's fixed, your line is working again.",
    ],
    refuse: [
      "I'm sorry, I can't fix that from here, and there is no technician free this week.",
      "I'm afraid that device is not supported any more.",
    ],
    next: [
      'If it drops again, a technician can be with you on {day}.',
      'You should receive a message when the work on the line is finished, within {days} business days.',
    ],
    asides: [
      {
        ask: ['Do I get something back for the days without a connection?'],
        answer: ['Yes, the credit for those days is added by itself.'],
      },
      {
        ask: ['Could it be the weather?', 'Is anybody else in my street affected?'],
        answer: ['No, the line itself looks dry.', 'I can see two more reports from your street.'],
      },
    ],
  },
  {
    driver: 'cancellation',
    company,
    queue: 'Contracts',
    weight: 5,
    ease: 0.42,
    reasons: [
      { title: 'Contract to be cancelled', says: 'I want to cancel my contract.' },
      { title: 'Plan to be cancelled', says: "I'd like to cancel my plan at the end of the month." },
      { title: 'Moving away', says: 'I am moving and I need to cancel my service by {day}.' },
    ],
    trouble: [
      'I was promised a better price, and that promise was a mistake, it seems.',
      'I have sent two letters and nobody answered them, that is a problem.',
    ],
    steps: [
      {
        ask: ['May I ask why you would like to leave?', 'What is the reason, if I may ask?'],
        answer: ['It has become too expensive.', 'I do not need it at the new place.'],
      },
      {
        ask: ['Which contract is it?', 'What is the number of the contract?'],
        answer: ['Number {case}.', 'It is {case}, for the line ending in {last4}.'],
      },
    ],
    readBack: [
      'So contract {case} ends on {day}, is that right?',
      'That is contract {case}, for the line ending in {last4}.',
    ],
    resolve: [
      'Your contract is cancelled, it ends on {day}.',
      'I have cancelled that for you.',
      'Okay, the cancellation has been booked.',
    ],
    refuse: [
      "I'm afraid I can't cancel it before the term is over.",
      "I can't accept a cancellation by phone, it has to be in writing.",
    ],
    next: [
      'You should receive the confirmation within {days} business days.',
      'Please send the router back with the label we mail to you.',
    ],
    asides: [
      {
        ask: ['Can I keep my number?', 'Do I have to return the router?'],
        answer: ['Yes, your new provider asks us for it.', 'Yes, within two weeks, the label is free.'],
      },
    ],
  },
  {
    driver: 'account change',
    company,
    queue: 'Contracts',
    weight: 7,
    ease: 0.76,
    reasons: [
      { title: 'Change of address', says: 'I have moved and I need to change my address.' },
      { title: 'Smaller plan', says: "I'd like to change to the smaller plan." },
      { title: 'New e-mail address', says: 'I want to update my details, I have a new e-mail address.' },
    ],
    trouble: [
      'I have tried that online and it never takes it, there must be a mistake.',
      "My letters still go to the old place, and I'm worried that something gets lost.",
    ],
    steps: [
      { ask: ['From which day on?', 'When should that be valid?'], answer: ['From {day} on.', 'As of {day}, please.'] },
      {
        ask: ['What is the new e-mail address?', 'And which e-mail address may I note?'],
        answer: ['{email}.', 'Please take {email}.'],
      },
    ],
    readBack: [],
    resolve: [
      'I have changed that for you.',
      'Your details are updated, valid from {day}.',
      "Okay, that's all updated.",
    ],
    refuse: [
      "I'm sorry, I can't change that without a signed form.",
      "I'm afraid the plan can't be changed in the first year.",
    ],
    next: ['You should receive a confirmation at {email} in a few minutes.', 'The change shows on your next bill.'],
    asides: [
      {
        ask: ['Does that change the price?', 'Do I get a new contract?'],
        answer: ['No, the price stays the same.', 'No, only a letter that confirms it.'],
      },
    ],
  },
]
