import type { RubricInput } from '../rubric.js'

const WHAT_ONE_CANCELS =
  '(account|accounts|subscription|service|services|contract|plan|membership|policy|order|everything|internet|line|booking|reservation|trial)'

/** Why customers of a support line call, the most telling first: where two match, the order settles it. */
export const supportDrivers: NonNullable<RubricInput['drivers']>['table'] = [
  {
    driver: 'reset password',
    any: [
      '(password|passcode|passwords)',
      '(forgot|forgotten|reset|change|lost) [my|the] (pin|username|user name|user id|login|log in|credentials)',
      'locked out of [my|the|our] [*] (account|profile|banking|app|portal)',
    ],
  },
  {
    driver: 'replace card',
    any: [
      '(lost|lose|stole|stolen|damaged|broke|broken|missing|misplaced|replace|replaced|replacing|replacement|new|expired|cracked|demagnetized|swallowed|ate) ~ card',
      'card ~ (lost|stolen|missing|damaged|replaced|expired|broken|gone|swallowed|cracked|expires|stopped working)',
      'card (does not|will not|is not|did not) [*] (work|working)',
      'can not find my ~ card',
    ],
    not: ['(sim|gift|graphics|memory|sd|business|report) card', 'card reader'],
  },
  {
    driver: 'order checks',
    any: [
      '(checkbook|checkbooks|chequebook|chequebooks)',
      '(check|cheque) (book|books)',
      '(order|reorder|ordering|new|more|need|want|get) [*] [*] [*] (checks|cheques)',
      '(out of|low on) (checks|cheques)',
    ],
  },
  {
    driver: 'transfer money',
    any: [
      '(transfer|transferring|move|moving|send|sending|wire|wiring) ~ (money|funds|dollars|euros|pounds|cash)',
      '(transfer|transferring|move|moving) ~ (savings|checking|account|accounts)',
      '(make|do|set up|start) [a] [*] [*] transfer',
      '(wire|bank|money) transfer',
    ],
    not: ['transfer me', 'transfer [my|the|this] (call|number|service|phone)'],
  },
  {
    driver: 'pay bill',
    any: [
      '(pay|paying) ~ (bill|bills|invoice|balance|statement|rent)',
      'bill (payment|pay)',
      '(make|making|set up|schedule) [a|my] [*] payment',
      'pay [off] my *',
    ],
    not: ['pay my respects', 'not [*] pay', 'pay for'],
  },
  {
    driver: 'schedule appointment',
    any: [
      '(see|seen by|visit) (a|the|my|one of the|one of your) [*] (doctor|dentist|gp|nurse|vet|physician|therapist|specialist|optician|consultant)',
      '(appointment|appointments)',
      '(schedule|book|arrange|set up|reschedule) ~ (technician|visit|consultation|meeting|viewing|installation|test drive|check up|checkup|time with)',
    ],
  },
  {
    driver: 'get branch hours',
    any: [
      '(what time|when|what times) (do|does|is|are|will) ~ ~ (open|close|opens|closes|closed|shut)',
      '(when|what time) (you|the * is|it is) [are] (open|closed|close)',
      '(are|is) (you|the *|it) [*] (open|closed)',
      'opening times',
      '(branch|store|opening|business|office|holiday|lobby|shop|working|closing) (hours|times|time)',
      'hours (of operation|of your|of the|for your|for the|at your|at the|are you)',
      'what ~ (hours)',
      '(when|what time|what times|until when|how late|how early) (do|does|is|are|will) ~ (open|close|opens|closes|closed)',
      '(are|is) (you|the branch|the store|your branch|your store|the office|your office) [*] open (on|today|tomorrow|saturday|sunday|late|now|this|at|until|during|over)',
    ],
  },
  {
    driver: 'check balance',
    any: [
      '(check|checking|know|tell me|get|see|what is|confirm|find out|look up|need|want|ask about|about) ~ balance',
      'account balance',
      'balance (on|of|in|for) (my|the|our)',
      'how much (money|do i have|is in my|is left|is on my|i have)',
    ],
  },
  {
    driver: 'return or refund',
    any: [
      '(return|returning) (my|a|an|the|an|this|these|those|it|them|some|something|two|one|three)',
      '(to|a|for|do a|start a|make a) return',
      '(refund|refunds|refunded)',
      '(get|want|need|have|give me) ~ money back',
      '(exchange|exchanging) (it|this|the|a|my|them|these)',
      '(send|sending|bring|bringing|take) (it|this|them|these|the *) back',
    ],
    not: ['return (my|your|a|the|this) [*] (call|email|message|phone call)'],
  },
  {
    driver: 'order or shipping',
    any: [
      '(where|when|whether|if) [my|the|our|an] [*] (order|package|parcel|delivery|shipment)',
      '(order|package|parcel|delivery|shipment) ~ (pushed back|postponed|delayed|rescheduled|cancelled|says|ships|ship)',
      'about [my|the|a] [*] (delivery|order|parcel)',
      'track ~ (order|parcel|package)',
      '(where is|where are|status of|status on|track|tracking|about|locate|find|check on|update on|cancel|change|changing) ~ (order|package|parcel|delivery|shipment)',
      '(order|package|parcel|delivery|shipment|item|items) ~ (arrived|arrive|late|delayed|delivered|missing|shipped|lost|stuck|come|came|tracking|wrong|damaged)',
      'tracking (number|says|shows|information|info|page)',
      '(order|package|parcel|delivery|shipment) (number|status)',
      '(place|placed|placing|made) [a|an|my] [*] order',
      '(has|have|did) not (arrived|received|arrive|receive|got) ~',
      'never (arrived|received|came|showed up|got here|got delivered)',
      'i ordered ~ (from|last|ago|on|online|yesterday|and|but|two|three|a week)',
      '(wrong|missing) (item|items|size|color|product|part|parts)',
      '(delivery|shipping) (date|address|time|window|cost|fee)',
    ],
    not: ['(out of|in) order'],
  },
  {
    driver: 'billing dispute',
    any: [
      '(do|did) not recognise',
      '(bill|price|bills|premium|rate|rates|payment|payments|charges) [has|have|is|just] [*] (gone up|went up|increased|doubled|tripled|risen)',
      '(bill|invoice|statement) ~ ~ ~ ~ (wrong|incorrect|too high|too much|mistake)',
      'wrong (bill|amount|charge)',
      '(bill|invoice) ~ (twice|double|three times)',
      '(charged|billed|charging|billing) ~ (twice|double|wrong|wrongly|too much|extra|incorrectly|again|something|fee|more|for)',
      '(charge|charges|fee|fees|transaction|transactions|payment|item) ~ (did not|do not|not|never) *',
      '(do|did) not recognize',
      '(dispute|disputing|wrong|incorrect|unauthorized|fraudulent|unknown|duplicate|overdraft|late|extra|double|unexpected|strange|suspicious|weird) [a] [*] (charge|charges|fee|fees|transaction|transactions|bill|amount|billing)',
      '(overcharged|double charged)',
      'bill ~ (too high|wrong|higher|incorrect|so high|went up|doubled|high|mistake|error|does not)',
      '(question|questions|problem|issue|mistake|error|wrong) ~ (bill|invoice|statement|billing)',
      '(you|they) charged me',
      'why (was|am|did) i [*] (charged|billed|get charged|paying)',
      'dispute ~ (charge|bill|fee|transaction)',
    ],
  },
  {
    driver: 'technical problem',
    any: [
      '(internet|wifi|router|connection|phone|app|line|tv|box|boiler|signal|screen|website|charger|device) ~ ~ (not working|does not work|dead|broken|burst|down|drops|dropping|cutting out|keeps)',
      '(black|blank|blue|frozen) screen',
      'pipe ~ (burst|leaking)',
      '(internet|wifi|wi fi|router|modem|connection|network|signal|app|website|site|phone|device|tv|television|computer|laptop|printer|machine|system|banking|service|email|screen|software|box|line|heater|boiler|dishwasher|washer|camera|thermostat|update|portal|page) ~ (not|down|slow|crash|crashes|crashing|freezes|freezing|frozen|broken|keeps|stopped|dropping|drops|offline|error|dead|out|unstable|cutting)',
      '(not|stopped|stops|quit) [*] (working|loading|connecting|turning on|charging|responding|work)',
      '(does|do|did|will) not (work|load|connect|turn on|start|open|charge|respond)',
      'can not (log in|login|log on|sign in|connect|get online|access|get into|open|install|download|print|activate)',
      'error (message|code|messages)',
      '(get|getting|got|shows|see|seeing|showing|says|gives) [me] [an|the|some] (error|errors)',
      'no (internet|signal|service|connection|dial tone|power|picture|sound|hot water)',
      'technical (problem|problems|issue|issues|support|difficulties|difficulty|help)',
      '(trouble|problem|problems|issue|issues) ~ (internet|router|app|website|phone|device|connection|service|modem|line|tv|logging|connecting|signing|wifi|printer|installing|software)',
      'keeps (crashing|disconnecting|freezing|dropping|restarting|going|cutting|buffering|turning)',
      '(power|internet|service|network) outage',
    ],
  },
  {
    driver: 'cancellation',
    any: [
      `(cancel|canceling|cancelling|terminate|end|discontinue|stop|close|closing) ~ ${WHAT_ONE_CANCELS}`,
      '(want|like|need|going|wish|calling|call|have) to (cancel|terminate|leave)',
      'cancellation',
    ],
  },
  {
    driver: 'complaint',
    any: [
      '(complaint|complaints|complain|complaining)',
      '(very|really|so|extremely|quite) (unhappy|disappointed|dissatisfied|displeased)',
      '(rude|unprofessional|disrespectful) [to|with|and|*]',
      '(file|make|lodge|register|report) [a] ~ (grievance|agent|employee|representative|driver|behavior)',
      '(terrible|awful|horrible|poor|worst|bad) (service|experience|treatment|customer service)',
      '(unacceptable|outrageous|disgraceful)',
    ],
  },
  {
    driver: 'account change',
    any: [
      '(add|remove|take) my (wife|husband|partner|son|daughter|name)',
      '(change|update|updating|changing|correct|edit|add|remove|adding|removing) ~ (address|phone number|number|email|name|account|details|information|info|contact|beneficiary|plan|method|user|driver|card|preferences|profile)',
      '(moved|moving|move) [*] [*] (house|home|address|apartment|place|next|last|out|in|soon|recently)',
      '(new address|address change|name change|change of address)',
      '(upgrade|upgrading|downgrade|switch) ~ (plan|account|package|service|tariff)',
      '(open|opening) ~ account',
    ],
  },
]
