import type { Values } from './fill-in.js'
import type { Agent, Customer } from './people.js'
import type { Random } from './random.js'
import type { Scenario } from './scenarios.js'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const TIMES = ['eleven', 'half past two', 'four', 'five', 'six']
const SPANS = ['three to five', 'two to four', 'five to seven']
const BRANCHES = ['Riverside', 'Old Mill', 'Harbor Street', 'Northgate', 'Maple Square', 'Station Road']
const ACCOUNTS = ['savings', 'joint', 'business', 'checking']
const GOODS = ['desk lamp', 'coffee machine', 'office chair', 'kettle', 'bookcase', 'vacuum cleaner', 'toaster']
const DEVICES = ['router', 'television box', 'tablet', 'smart speaker', 'telephone']

/** The names and numbers a call is about. */
export function valuesOf(scenario: Scenario, agent: Agent, customer: Customer, random: Random): Values {
  return {
    account: random.pick(ACCOUNTS),
    agent: agent.first,
    amount: `$${random.between(12, 890)}.${random.pick(['00', '50', '20', '99'])}`,
    branch: random.pick(BRANCHES),
    case: `K-${random.between(20_000, 89_999)}`,
    company: scenario.company,
    customer: customer.name,
    day: random.pick(DAYS),
    days: random.pick(SPANS),
    email: customer.email,
    first: customer.first,
    last4: String(random.between(1_000, 9_999)),
    order: `AH-${random.between(10_000, 99_999)}`,
    product: random.pick(scenario.company === 'Alder Home' ? GOODS : DEVICES),
    time: random.pick(TIMES),
  }
}
