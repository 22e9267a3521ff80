/** Words that stand for one another, which phrases name as $weekday and so on. */
export const wordClasses = {
  /** Words that stand for one another, which phrases name as $weekday and so on. */
  weekday: [
    '(monday|mondays|tuesday|tuesdays|wednesday|wednesdays|thursday|thursdays|friday|fridays|saturday|saturdays|sunday|sundays)',
  ],
  unit: ['(minute|minutes|mins|hour|hours|day|days|week|weeks|month|months|fortnight)'],
  currency: [
    '(dollar|dollars|bucks|cent|cents|pound|pounds|quid|pence|euro|euros|rupee|rupees|rand|naira|cedis|shillings|dirhams|pesos|yen|kronor|percent)',
  ],
  when: [
    '(tomorrow|tonight|shortly|overnight|$weekday)',
    '(this|next|later this|tomorrow|later) (morning|afternoon|evening|week|month|$weekday|today)',
    '(by|before|after|from|until|till|at|around|about) [*] ({number}|noon|midday|midnight|lunchtime|lunch|tomorrow|tonight|$weekday|christmas|close|half)',
    '(by|before|at|on|from) the (end|start|beginning|weekend|first|{number})',
    'on (the {number}|$weekday)',
    '(in|within|inside) [*] [*] ({number}|a few|a couple|a|an|half|the hour|the week|the month) ~ $unit',
    '(within|inside) the (hour|day|week|month)',
    'between {number} [*] and {number}',
    '{number} [*] (to|or|and) {number} [*] $unit',
    'when (it|he|she|they|that) (is|are) ~',
    'first thing',
    '(any (minute|moment|day|time|second)|within the hour|straight away|right away)',
  ],
  boss: [
    '(supervisor|manager|superior|boss|director|senior|seniors|owner|head of *|management|higher up|team (lead|leader|manager)|(my|our|your|a|the|shift|tech|support|floor|team) lead)',
  ],
  kin: [
    '(wife|husband|partner|ex|ex wife|ex husband|son|daughter|mum|mom|mother|dad|father|brother|sister|lodger|tenant|flatmate|roommate|housemate|girlfriend|boyfriend|fiance|fiancee|nan|gran|grandma|grandson|granddaughter|niece|nephew|cousin|colleague|friend|mate|carer|landlord)',
  ],
  /** What people call each other at the end of a sentence. */
  sir: [
    '(sir|madam|miss|mate|pal|love|dear|darling|hun|hon|honey|sweetheart|pet|duck|boss|buddy|man|bro|my love|my dear|lovely|flower|petal|treacle|chief)',
  ],
  elsewhere: [
    '(elsewhere|somewhere else|some place else|someplace else|(someone|somebody|anyone|anybody) else|another (company|bank|provider|supplier|insurer|firm|network|place|outfit|gym|shop|store|airline|carrier|lot))',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
