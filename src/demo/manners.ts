import { z } from 'zod'
import given from './content/manners.json' with { type: 'json' }
import { type Phrases, phrases } from './phrases.js'

const share = z.number().min(0).max(1)

/** How often an agent does each thing where it would be in place. */
const habits = z.strictObject({
  greets: share,
  names_company: share,
  names_self: share,
  offers_help: share,
  cuts_in: share,
  cares: share,
  is_willing: share,
  verifies: share,
  asks_again: share,
  reads_back: share,
  takes_time: share,
  announces_waits: share,
  thanks_for_waiting: share,
  snaps: share,
  explains_next: share,
  offers_more: share,
  takes_leave: share,
})

/** What an agent may or may not do in a call. */
export type Habit = keyof z.infer<typeof habits>

const isWording = (name: string): name is keyof Phrases =>
  Object.hasOwn(phrases, name) && name !== 'smallTalk' && name !== 'readBackValues'

const manner = z.strictObject({
  name: z.string(),
  /** What a listener would say of such an agent. */
  about: z.string(),
  habits,
  /** Added to the share of calls of a kind that end well. */
  solves: z.number(),
  /** Wordings of this manner's own, in place of the common ones. */
  words: z.partialRecord(z.string().refine(isWording), z.array(z.string()).min(1)),
})

/** How an agent talks to customers: nothing else makes one agent's calls better than another's. */
export type Manner = Readonly<z.infer<typeof manner>> & { readonly words: Partial<Phrases> }

const { usual, before_decline, after_decline } = z
  .strictObject({ usual: z.array(manner), before_decline: z.string(), after_decline: manner })
  .parse(given)

/** How agents talk; they are spread over these evenly. */
export const manners: readonly Manner[] = usual

const before = manners.find(({ name }) => name === before_decline)
if (before === undefined) throw new Error(`There is no manner ${before_decline}`)

/** The agent who declines: one of the good ones, who then has had enough. */
export const beforeDecline: Manner = before
export const afterDecline: Manner = after_decline
