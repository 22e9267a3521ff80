import type { Manner } from './manner.js'

const steady: Manner = {
  name: 'steady',
  about: 'does most of what the script asks for, most of the time',
  habits: {
    greets: 0.9,
    names_company: 0.85,
    names_self: 0.85,
    offers_help: 0.85,
    cuts_in: 0.05,
    cares: 0.75,
    is_willing: 0.75,
    verifies: 0.9,
    asks_again: 0.08,
    reads_back: 0.6,
    takes_time: 0.3,
    announces_waits: 0.85,
    thanks_for_waiting: 0.75,
    snaps: 0,
    explains_next: 0.75,
    offers_more: 0.8,
    takes_leave: 0.85,
  },
  solves: 0.12,
  words: {},
}

/** Writes every detail down and says it back; what customers thank for. */
const attentive: Manner = {
  name: 'attentive',
  about: 'reads details back, says what happens next, and is glad to help',
  habits: {
    greets: 0.97,
    names_company: 0.95,
    names_self: 0.95,
    offers_help: 0.95,
    cuts_in: 0.02,
    cares: 0.92,
    is_willing: 0.93,
    verifies: 0.96,
    asks_again: 0.02,
    reads_back: 0.95,
    takes_time: 0.25,
    announces_waits: 0.97,
    thanks_for_waiting: 0.95,
    snaps: 0,
    explains_next: 0.92,
    offers_more: 0.95,
    takes_leave: 0.96,
  },
  solves: 0.2,
  words: {
    willing: [
      "Of course, I'd be glad to take care of that for you.",
      'Absolutely, I can help you with that right away.',
      "Sure, let's get that sorted out together.",
    ],
    further: [
      'Is there anything else I can do for you while I have you?',
      'Is there anything else on your mind today?',
    ],
  },
}

const warm: Manner = {
  name: 'warm',
  about: 'kind to everybody, and loses details: asks again, seldom reads back, forgets to verify',
  habits: {
    ...steady.habits,
    greets: 0.98,
    names_self: 0.95,
    cares: 0.97,
    is_willing: 0.96,
    verifies: 0.6,
    asks_again: 0.45,
    reads_back: 0.12,
    takes_time: 0.4,
    explains_next: 0.4,
    takes_leave: 0.98,
  },
  solves: 0.05,
  words: {
    empathy: [
      "Oh no, I'm so sorry you have to deal with this.",
      'Oh dear, that sounds really stressful, I am so sorry.',
      "I completely understand, I'd be upset too.",
    ],
    willing: ["Of course, I'm happy to help you with that!", 'Sure, my pleasure, let me see what I can do for you.'],
    repeatAsk: [
      "I'm sorry, I lost my note, could you say that again for me?",
      "Oh, I didn't write that down, can you repeat that, please?",
    ],
    closing: [
      'It was lovely talking to you, {first}, have a wonderful day!',
      'Take good care of yourself, {first}, and thank you so much for calling!',
    ],
  },
}

const brisk: Manner = {
  name: 'brisk',
  about: 'quick, and short with people: talks over them, no word of sympathy, gone before they can ask anything else',
  habits: {
    ...steady.habits,
    greets: 0.5,
    names_company: 0.75,
    names_self: 0.35,
    offers_help: 0.3,
    cuts_in: 0.4,
    cares: 0.1,
    is_willing: 0.15,
    verifies: 0.92,
    asks_again: 0.05,
    reads_back: 0.3,
    takes_time: 0.12,
    thanks_for_waiting: 0.3,
    snaps: 0.01,
    explains_next: 0.55,
    offers_more: 0.15,
    takes_leave: 0.3,
  },
  solves: 0.15,
  words: {
    bare: ['Go ahead.', 'Yes, what is it?', "Yeah, what's it about?"],
    flat: ['Okay. Name?', 'Right.', 'Yep. Okay.', 'Mhm, okay.'],
    identityAsk: ['Your full name and the last four digits of the account.', 'Full name, last four digits, please.'],
    curt: ["That's it then, bye.", 'Okay, bye.', "We're done here, bye."],
  },
}

const formal: Manner = {
  name: 'formal',
  about: 'by the script, word for word, without a warm one',
  habits: {
    ...attentive.habits,
    greets: 1,
    names_company: 1,
    names_self: 1,
    offers_help: 0.96,
    cares: 0.2,
    is_willing: 0.2,
    verifies: 0.99,
    asks_again: 0.06,
    reads_back: 0.82,
    explains_next: 0.85,
  },
  solves: 0.1,
  words: {
    flat: ['Your request is noted.', 'I see.', 'One point after the other.', 'Very well.'],
    identityAsk: ['To verify your identity, please state your full name and the last four digits of the account.'],
    closing: ['Thank you for calling {company}. Have a good day.'],
  },
}

const quiet: Manner = {
  name: 'quiet',
  about: 'falls silent for long stretches without saying why',
  habits: {
    ...steady.habits,
    takes_time: 0.75,
    announces_waits: 0.15,
    thanks_for_waiting: 0.25,
    is_willing: 0.6,
    explains_next: 0.7,
  },
  solves: 0.12,
  words: { workingOnIt: ['Okay. So. I see it now.', 'Mhm. Right, there it is.', 'So. Yes. Here it is.'] },
}

/** How agents talk; they are spread over these evenly. */
export const manners: readonly Manner[] = [steady, attentive, warm, brisk, formal, quiet]

/** The agent who declines: one of the good ones, who then has had enough. */
export const beforeDecline: Manner = attentive
export const afterDecline: Manner = {
  name: 'worn out',
  about: 'reads nothing back any more, cuts people off, is short with them and at times rude',
  habits: {
    greets: 0.6,
    names_company: 0.55,
    names_self: 0.5,
    offers_help: 0.35,
    cuts_in: 0.35,
    cares: 0.1,
    is_willing: 0.12,
    verifies: 0.65,
    asks_again: 0.3,
    reads_back: 0.04,
    takes_time: 0.5,
    announces_waits: 0.3,
    thanks_for_waiting: 0.15,
    snaps: 0.1,
    explains_next: 0.3,
    offers_more: 0.12,
    takes_leave: 0.25,
  },
  solves: -0.12,
  words: {
    flat: ['Okay, and?', 'Right. So?', 'Mhm.', 'Yeah, I heard you.'],
    rude: [
      "That's hardly my problem, is it?",
      'If you had listened the first time, we would be done by now.',
      'What do you expect me to do about it?',
      'I already told you that twice.',
    ],
    repeatAsk: ['What was that?', 'Say that again?', 'Wait, what was that again?'],
    curt: ['Okay, bye.', "That's it then.", 'Fine. Bye.'],
  },
}
