import type { Scenario } from './scenario.js'

const company = 'Alder Bank'

/** Calls to a bank. */
export const bank: readonly Scenario[] = [
  {
    driver: 'reset password',
    company,
    queue: 'Digital banking',
    weight: 12,
    ease: 0.72,
    reasons: [
      {
        title: 'Password forgotten',
        says: "I can't get into my online banking, I think I forgot my password.",
        hurts: true,
      },
      { title: 'Locked out of the app', says: 'I need to reset my password, the app has locked me out.', hurts: true },
      {
        title: 'Password stopped working',
        says: 'My password stopped working on {day} and now the website says my access is locked.',
        hurts: true,
      },
      { title: 'New password wanted', says: "Hi, I'd like to set a new password for online banking." },
    ],
    trouble: [
      "I have a payment to make today and I really need to get in, I'm a bit worried.",
      'I tried it five times and it just keeps throwing me out, something is wrong there.',
      "I've been stuck on that page since this morning.",
    ],
    steps: [
      {
        ask: ['Are you using the app or the website?', 'Is that in the app or in your browser?'],
        answer: ['The app, on my phone.', 'The website, on my laptop.'],
      },
      {
        ask: [
          'Which e-mail address should the reset link go to?',
          'Can you tell me the e-mail address on your profile?',
        ],
        answer: ['It should be {email}.', "That's {email}."],
      },
      {
        ask: ['Do you still have the phone number we have on file?', 'Can you receive a text message right now?'],
        answer: ['Yes, I do.', 'Yes, my phone is right here.'],
      },
    ],
    readBack: [],
    resolve: [
      'I have unlocked your access and sent the reset link to {email}.',
      'Done, your access is unlocked and the link is in your inbox.',
      "Okay, I've just reset it for you, the link went to {email}.",
    ],
    refuse: [
      "I'm afraid I can't reset it over the phone, the security check has to be done in a branch.",
      "I can't unlock this one, the system doesn't allow it before the fraud team has looked at it.",
    ],
    next: [
      'The link is valid for thirty minutes, and you should receive it within two minutes.',
      'You should see the mail in a minute or two; choose a password with at least twelve characters.',
    ],
    asides: [
      {
        ask: ['Will I have to set up the fingerprint login again?', 'Do I need to sign in on my tablet again too?'],
        answer: [
          'Yes, once, after you have signed in with the new password.',
          'Only the first time, the app asks you by itself.',
        ],
      },
      {
        ask: ['Is it safe to use the same password as before?'],
        answer: ["The system won't accept one of your last six, so please choose a new one."],
      },
    ],
  },
  {
    driver: 'replace card',
    company,
    queue: 'Cards',
    weight: 11,
    ease: 0.7,
    reasons: [
      { title: 'Lost debit card', says: 'I lost my debit card and I need a new one.', hurts: true },
      {
        title: 'Stolen card',
        says: 'My card was stolen on {day} and I want to block it and get a replacement.',
        hurts: true,
      },
      { title: 'Damaged card', says: "I'd like to order a replacement card, the chip on mine is broken.", hurts: true },
      {
        title: 'Card about to expire',
        says: 'My card runs out at the end of the month and I have not got a new card yet.',
      },
    ],
    trouble: [
      "I'm travelling on {day}, so I'm a little worried about being without one.",
      "I'm really worried that somebody is using it already.",
      'I had an awful evening because of it, I was stuck without any cash.',
    ],
    steps: [
      {
        ask: ['Which card would you like to replace?', 'Is that your debit or your credit card?'],
        answer: ['The debit card, ending in {last4}.', "It's the credit card, the one ending in {last4}."],
      },
      {
        ask: ['When did you last use it?', 'When did you notice that it was gone?'],
        answer: ['On {day}, around {time}.', 'It must have been on {day}.'],
      },
      {
        ask: [
          'Should we send the new card to the address on file?',
          'Do you want to collect it at a branch or have it sent home?',
        ],
        answer: ['Please send it to my home.', "I'd rather collect it at the {branch} branch."],
      },
    ],
    readBack: [
      'So the card ending in {last4}, last used on {day}, is that right?',
      'Just to confirm, card ending in {last4} and your last payment was on {day}.',
    ],
    resolve: [
      'The old card is blocked and the new one is ordered.',
      'I have blocked the old card and ordered a new one for you.',
      "Alright, it's blocked, and a new one has been ordered.",
    ],
    refuse: [
      "I'm sorry, I can't order a new card while the address on your account is being checked.",
      "Unfortunately I can't replace it today, there is a hold on the account.",
    ],
    next: [
      'You should receive it within {days} business days, and the PIN comes in a separate letter.',
      'The new card arrives in {days} business days; the old number stays blocked.',
    ],
    asides: [
      {
        ask: ['Do I have to change the card in my phone wallet?', 'What about my subscriptions?'],
        answer: [
          'The wallet updates by itself when you activate the new card.',
          'Those that were set up with the old number need the new one, yes.',
        ],
      },
      { ask: ['Is there a fee for that?'], answer: ['No, the first replacement in a year is free.'] },
    ],
  },
  {
    driver: 'order checks',
    company,
    queue: 'Accounts',
    weight: 4,
    ease: 0.78,
    reasons: [
      { title: 'Checks wanted', says: "I'm almost out of checks and I'd like to order some." },
      { title: 'New checkbook', says: 'I need to order a new checkbook for my account.' },
      { title: 'Box of checks', says: 'Could you send me a box of checks?' },
      {
        title: 'Checks did not arrive',
        says: 'I need more checks, the ones I wanted last month never arrived.',
        hurts: true,
      },
    ],
    trouble: [
      "My landlord only takes checks, so it's getting urgent.",
      'The last box was missing half of them, that was a problem.',
    ],
    steps: [
      { ask: ['How many would you like?', 'One box or two?'], answer: ['One box is plenty.', 'Two boxes, please.'] },
      {
        ask: ['Which account are they for?', 'Is that for the checking or the joint account?'],
        answer: ['The {account} account, ending in {last4}.', 'For {account}, ending in {last4}.'],
      },
    ],
    readBack: [
      'So checks for the {account} account ending in {last4}, to the address on file?',
      "That's the {account} account, ending in {last4}, right?",
    ],
    resolve: ['Your checks are ordered.', "I've placed the order for you.", 'Okay, one box is ordered and on its way.'],
    refuse: [
      "I'm afraid that account can't have checks, it is a savings account.",
      "I can't order them while the account is overdrawn, I'm sorry.",
    ],
    next: [
      'You should receive them in {days} business days.',
      'They are printed tomorrow and arrive within {days} business days.',
    ],
    asides: [
      {
        ask: ['Can I have the ones with the blue background again?'],
        answer: ['Yes, I have chosen the same design as last time.'],
      },
    ],
  },
  {
    driver: 'transfer money',
    company,
    queue: 'Payments',
    weight: 8,
    ease: 0.68,
    reasons: [
      { title: 'Transfer to an own account', says: "I'd like to transfer {amount} to my {account} account." },
      { title: 'Money to be moved', says: 'I need to move some money, about {amount}, before {day}.' },
      { title: 'Transfer that was not sent', says: 'I tried to transfer {amount} yesterday and it was not sent.' },
      { title: 'Transfer wanted', says: 'Can you make a transfer for me, {amount}, over to {account}?' },
    ],
    trouble: [
      "If it is not there by {day} I pay a penalty, so I'm worried.",
      "The money has left one account and not arrived in the other, and I'm worried about it.",
    ],
    steps: [
      {
        ask: ['From which account should it go?', 'Which account do we take it from?'],
        answer: ['From the one ending in {last4}.', 'My checking account, ending in {last4}.'],
      },
      { ask: ['How much would you like to transfer?', 'And the amount?'], answer: ['{amount}.', "It's {amount}."] },
      {
        ask: ['Should that go out today?', 'When should it be booked?'],
        answer: ['Today, please.', 'On {day} would be fine.'],
      },
    ],
    readBack: [
      'So {amount} from the account ending in {last4} to {account}, today?',
      'Let me read that back: {amount}, from {last4}, to your {account} account.',
    ],
    resolve: ['The transfer is done.', "I've sent the {amount} just now.", 'Alright, the money has been transferred.'],
    refuse: [
      "I'm afraid I can't send it, it is above your daily limit.",
      "I can't release that transfer, the receiving bank has returned it.",
    ],
    next: ['You should see it within one business day.', 'You will see it on your statement tomorrow morning.'],
    asides: [
      {
        ask: ['Could I do that by myself next time?', 'Is there a limit in the app?'],
        answer: [
          'Yes, under payments, and then between my accounts.',
          'The limit is five thousand dollars a day, and you can raise it under settings.',
        ],
      },
    ],
  },
  {
    driver: 'pay bill',
    company,
    queue: 'Payments',
    weight: 6,
    ease: 0.74,
    reasons: [
      { title: 'Bill to be paid by phone', says: "I'd like to pay a bill of {amount} by phone." },
      { title: 'Bill that is due', says: 'I have a bill here that is due on {day} and I want to pay it.' },
      { title: 'Electricity bill', says: 'Could you pay my electricity bill from my account?' },
    ],
    trouble: [
      'I got a reminder already and I am worried about the late fee.',
      'The website gives me an error and nobody tells me why.',
    ],
    steps: [
      {
        ask: ['Who is the bill from?', 'Which company is it for?'],
        answer: ['City Power, reference {case}.', "It's from City Water, the number is {case}."],
      },
      { ask: ['What is the amount?', 'And how much is due?'], answer: ['{amount}.', '{amount}, due on {day}.'] },
    ],
    readBack: [
      'So {amount} with the reference {case}, correct?',
      'That is {amount} for {case}, from the account ending in {last4}.',
    ],
    resolve: [
      'The bill is paid, it was taken from your checking account.',
      'The payment of {amount} is sent.',
      "Okay, I've paid that for you.",
    ],
    refuse: [
      "I'm sorry, I can't pay that one, the company is not on our list of payees.",
      "I'm afraid the payment is refused, the balance is too low.",
    ],
    next: ['The company should have it within two business days.', 'You will get a confirmation by mail this evening.'],
    asides: [
      {
        ask: ['Can you do that every month by yourself?'],
        answer: ['Yes, I can set up a standing order, you can stop it at any time.'],
      },
    ],
  },
  {
    driver: 'schedule appointment',
    company,
    queue: 'Branches',
    weight: 6,
    ease: 0.8,
    reasons: [
      { title: 'Branch appointment', says: "I'd like to make an appointment at the {branch} branch." },
      {
        title: 'Talk about a mortgage',
        says: 'I want to talk to somebody about a mortgage, can I get an appointment?',
      },
      { title: 'Appointment to be moved', says: 'I have to move my appointment on {day}.' },
    ],
    trouble: [
      'Last time I waited for an hour although I was booked.',
      "I'm a bit stressed, I only have this one free morning.",
    ],
    steps: [
      {
        ask: ['Which day would suit you?', 'When would you like to come in?'],
        answer: ['{day} would be best.', 'On {day}, if you can.'],
      },
      { ask: ['And at what time?', 'Morning or afternoon?'], answer: ['At {time}.', 'Around {time}, please.'] },
    ],
    readBack: ['So {day} at {time}, at the {branch} branch?', 'That would be {day}, {time}, in {branch}.'],
    resolve: [
      'You are booked at the {branch} branch.',
      'Your appointment is confirmed for {day}.',
      'Okay, I have booked that for you.',
    ],
    refuse: [
      "I'm sorry, there is nothing free at the {branch} branch for the next two weeks.",
      "I can't book advisers for that from here, I'm afraid.",
    ],
    next: [
      'You should receive a confirmation by mail, please bring a photo ID.',
      'We send you a reminder the day before.',
    ],
    asides: [
      {
        ask: ['Is there parking at the branch?', 'How long will it take?'],
        answer: ['Yes, behind the building.', 'About forty-five minutes.'],
      },
    ],
  },
  {
    driver: 'get branch hours',
    company,
    queue: 'Branches',
    weight: 5,
    ease: 0.86,
    reasons: [
      { title: 'Opening hours of a branch', says: 'When is the {branch} branch open on {day}?' },
      { title: 'Branch hours', says: "I'd like to know the hours of your branch in {branch}." },
      { title: 'Open on that day?', says: 'Are you open on {day}?' },
    ],
    trouble: [
      'I stood in front of a closed door this morning, the times on the website were wrong.',
      'There must be a mistake on your website, it says something else than the sign on the door.',
    ],
    steps: [
      {
        ask: ['Which branch is it?', 'Do you mean the one in {branch}?'],
        answer: ['The one in {branch}.', 'Yes, {branch}.'],
      },
    ],
    readBack: [],
    resolve: [
      'The {branch} branch is open from nine to {time}.',
      'On {day} they are open until {time}.',
      'We open at nine and close at {time}.',
    ],
    refuse: ["I'm afraid I don't have the hours of that branch.", 'That branch has been closed for good, I am sorry.'],
    next: [
      'You will find the holiday hours on our website within a few days.',
      'You will find the cash machine open around the clock.',
    ],
    asides: [{ ask: ['Can I deposit coins there?'], answer: ['Yes, until an hour before they close.'] }],
  },
  {
    driver: 'check balance',
    company,
    queue: 'Accounts',
    weight: 8,
    ease: 0.84,
    reasons: [
      { title: 'Balance of an account', says: "I'd like to know the balance of my {account} account." },
      { title: 'How much is on the account', says: 'How much is on my account, please?' },
      { title: 'Expected money', says: 'I want to check my balance, I was expecting {amount}.' },
    ],
    trouble: ['There should be more on it and that worries me.', "I can't get into the app, it just keeps loading."],
    steps: [
      {
        ask: ['Which account do you mean?', 'The checking or the {account} account?'],
        answer: ['The {account} one, ending in {last4}.', 'The account ending in {last4}.'],
      },
    ],
    readBack: ['The {account} account, ending in {last4}, let me see.'],
    resolve: [
      'Your balance is {amount}.',
      'The balance of your {account} account is {amount}.',
      'You have {amount} in there right now.',
    ],
    refuse: [
      "I'm not allowed to tell you that, the account is not in your name.",
      "I'm afraid I can't see that account from here.",
    ],
    next: [
      'The booking from {day} is still pending and shows tomorrow.',
      'You should see the same in the app after the next update.',
    ],
    asides: [
      {
        ask: ['Was there a booking on {day}?', 'What was the last booking?'],
        answer: ['Yes, there is one of {amount}.', 'The last one was on {day}, a card payment.'],
      },
    ],
  },
]
