import type { Scenario } from './scenario.js'

const company = 'Alder Home'

/** Calls to a shop that sends goods. */
export const shop: readonly Scenario[] = [
  {
    driver: 'return or refund',
    company,
    queue: 'Returns',
    weight: 9,
    ease: 0.6,
    reasons: [
      { title: 'Return of a product', says: "I'd like to return the {product} I bought." },
      {
        title: 'Refund still not received',
        says: 'I sent back a {product} and I am still waiting for my refund.',
        hurts: true,
      },
      {
        title: 'Broken product, money back',
        says: 'The {product} I got is broken and I want my money back.',
        hurts: true,
      },
    ],
    trouble: [
      'It has been three weeks, there must be a problem somewhere.',
      'It was meant as a present and it came damaged, that was not nice.',
    ],
    steps: [
      {
        ask: ['Do you have the order number at hand?', 'What is the order number?'],
        answer: ['{order}.', 'Yes, it is {order}.'],
      },
      {
        ask: ['What is wrong with it?', 'May I ask why you would like to return it?'],
        answer: ['It arrived with a crack.', "It simply doesn't work when I switch it on."],
      },
      { ask: ['When did it arrive?', 'When did you send it back?'], answer: ['On {day}.', 'Last {day}.'] },
    ],
    readBack: [
      'So the {product}, order {order}, arrived on {day}.',
      'Let me confirm: order {order}, {day}, the {product}.',
    ],
    resolve: [
      'I have approved the refund of {amount}.',
      'Your refund has been issued, it goes back to your card.',
      "Okay, I've refunded it for you.",
    ],
    refuse: ["I'm afraid I can't take it back, the thirty days are over.", "I can't refund that, it was a final sale."],
    next: [
      'You should see it on your card within {days} business days.',
      'I have sent you a return label by mail, just drop the parcel off.',
    ],
    asides: [
      {
        ask: ['Do I need the original box?', 'Do I have to pay for the parcel?'],
        answer: ['Any sturdy box will do.', 'No, the label is prepaid.'],
      },
      { ask: ['Could I have a new one instead?'], answer: ['Yes, if you prefer that I can send one today.'] },
    ],
  },
  {
    driver: 'order or shipping',
    company,
    queue: 'Orders',
    weight: 10,
    ease: 0.64,
    reasons: [
      { title: 'Where the order is', says: 'Where is my order? It was supposed to come on {day}.' },
      { title: 'Delivery date', says: "I'd like to know when my {product} will be delivered." },
      { title: 'Change of the delivery address', says: 'I want to change the delivery address of order {order}.' },
      { title: 'Parcel did not arrive', says: 'My {product} has not arrived, it was due on {day}.', hurts: true },
    ],
    trouble: [
      "I took the day off for that and nobody came, so now I'm worried that it's lost.",
      'The tracking has not moved for a week, something must be wrong.',
    ],
    steps: [
      {
        ask: ['Can I have the order number?', 'What is your order number, please?'],
        answer: ['{order}.', "It's {order}."],
      },
      {
        ask: ['Which e-mail address did you order with?', 'And the e-mail address?'],
        answer: ['{email}.', "That's {email}."],
      },
    ],
    readBack: ['Order {order}, the {product}, due on {day}, right?'],
    resolve: [
      'I found it: it was sent on {day} and is out for delivery.',
      'I have arranged a new delivery for you.',
      "Okay, that's changed, and the driver has been informed.",
    ],
    refuse: [
      "I'm sorry, the carrier has lost it and I can't send another one before they confirm that.",
      "I can't change the address any more, it has left our house.",
    ],
    next: [
      'You should receive a message from the driver in the morning.',
      'It arrives in {days} business days at the latest.',
    ],
    asides: [
      {
        ask: ['Can the driver leave it with a neighbour?', 'Can they come after {time}?'],
        answer: ['Yes, I have put that in the note to the driver.', "I'm afraid we can only choose the day."],
      },
      { ask: ['Is the warranty card in the parcel?'], answer: ['Yes, it is in the same envelope as the receipt.'] },
    ],
  },
  {
    driver: 'complaint',
    company,
    queue: 'Customer care',
    weight: 4,
    ease: 0.38,
    reasons: [
      { title: 'Complaint about a driver', says: 'I want to make a complaint about one of your drivers.' },
      {
        title: 'Complaint about a store',
        says: 'I was treated very badly in your store in {branch} and I want to complain.',
      },
      {
        title: 'Damaged twice',
        says: 'I have a complaint: the {product} was damaged for the second time.',
        hurts: true,
      },
    ],
    trouble: [
      'I have been a customer for ten years and this was the first real problem.',
      'Nobody even said sorry, and there were so many mistakes.',
    ],
    steps: [
      { ask: ['When did that happen?', 'Which day was it?'], answer: ['On {day}, at about {time}.', 'Last {day}.'] },
      {
        ask: ['Do you have an order number for me?', 'Which order was it about?'],
        answer: ['{order}.', 'Order {order}.'],
      },
    ],
    readBack: ['So this was on {day}, about order {order}.', 'I have noted {day}, {time}, in {branch}.'],
    resolve: [
      'I have filed your complaint under {case}.',
      'Your complaint has been passed to the store manager.',
      "Okay, I've credited {amount} to your account for that.",
    ],
    refuse: ["There is nothing I can do about that, I'm afraid.", "I can't offer you any compensation for it."],
    next: [
      'You should receive an answer in writing within {days} business days.',
      'The manager will look into it by {day}.',
    ],
    asides: [
      {
        ask: ['Will I hear from you at all this time?'],
        answer: ['Yes, the case stays open until you have an answer.'],
      },
    ],
  },
]
