import { z } from 'zod'
import bank from './content/bank.json' with { type: 'json' }
import connect from './content/connect.json' with { type: 'json' }
import shop from './content/shop.json' with { type: 'json' }

const wordings = z.array(z.string())

/** A question of one side and the other's answer, in some wordings each. */
const exchange = z.strictObject({ ask: wordings, answer: wordings })

/** Why a customer calls. */
const reason = z.strictObject({
  /** What the call would be filed under before anyone listened to it. */
  title: z.string(),
  says: z.string(),
  /** What is said is trouble by itself, so that a word of sympathy is in place. */
  hurts: z.boolean().optional(),
})
export type Reason = Readonly<z.infer<typeof reason>>

/**
 * What calls of one driver are made of. Words in braces are the values of the call, the same all through it: see
 * `Values`.
 */
const scenario = z.strictObject({
  driver: z.string(),
  company: z.string(),
  queue: z.string(),
  /** Share of calls, relative to the other scenarios. */
  weight: z.number(),
  /** How often such calls end well in general: the context a call's lift is measured against. */
  ease: z.number().min(0).max(1),
  /** The customer says why they call. */
  reasons: z.array(reason),
  /** The customer voices trouble. */
  trouble: wordings,
  /** The agent asks, the customer answers. */
  steps: z.array(exchange),
  /** The agent repeats two or more values; said only when the customer gave them. */
  readBack: wordings,
  resolve: wordings,
  refuse: wordings,
  next: wordings,
  /** The customer asks, the agent answers. */
  asides: z.array(exchange),
})
export type Scenario = Readonly<z.infer<typeof scenario>>

/** What calls are about: of a bank, a shop and a telephone company. */
export const scenarios: readonly Scenario[] = z.array(scenario).parse([...bank, ...shop, ...connect])
