import { base, en, Faker } from '@faker-js/faker'
import { type Manner, manners } from './manners.js'
import type { Random } from './random.js'

export interface Agent {
  readonly name: string
  readonly first: string
  /** How they usually talk. */
  readonly manner: Manner
  /** Share of the calls, relative to the others. */
  readonly load: number
}

export interface Customer {
  readonly name: string
  readonly first: string
  readonly email: string
}

const CUSTOMERS = 600

export interface People {
  readonly agents: readonly Agent[]
  readonly customers: readonly Customer[]
}

/** The agents and customers of a set of calls, the same for the same seed. */
export function people(agents: number, seed: number, random: Random): People {
  const faker = new Faker({ locale: [en, base], seed })
  const taken = new Set<string>()
  const distinct = (): { first: string; last: string } => {
    for (;;) {
      const first = faker.person.firstName()
      const last = faker.person.lastName()
      if (taken.has(`${first} ${last}`)) continue
      taken.add(`${first} ${last}`)
      return { first, last }
    }
  }
  const begin = random.between(0, manners.length - 1)
  return {
    agents: Array.from({ length: agents }, (_, place) => {
      const { first, last } = distinct()
      // In turn, so that every manner is there.
      const manner = manners[(begin + place) % manners.length] ?? random.pick(manners)
      return { name: `${first} ${last}`, first, manner, load: random.within(0.7, 1.3) }
    }),
    customers: Array.from({ length: CUSTOMERS }, () => {
      const { first, last } = distinct()
      const email = `${first}.${last}@example.com`.toLowerCase().replaceAll(/[^a-z.@]/g, '')
      return { name: `${first} ${last}`, first, email }
    }),
  }
}
