import { z } from 'zod'

const key = z.string().regex(/^sig\.[a-z0-9_.]{1,100}$/, 'must look like sig.greeting_given')
const turns = (what: string) => z.int().min(1).max(1_000).meta({ description: what })
const seconds = (what: string) =>
  z
    .number()
    .min(0)
    .max(86_400)
    .meta({ description: `${what}, seconds` })
const share = (what: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${what}, 0–1` })
const speaker = z.enum(['agent', 'customer']).meta({ description: 'Who speaks' })

/** Words to look for: a phrase (see docs/rubric.md), `/a pattern/` of RE2, or `$name` of a list of the rubric. */
export const wording = z
  .array(z.string().min(1).max(500))
  .min(1)
  .max(1_000)
  .meta({ description: 'Phrases, /RE2 patterns/ and $names of lists; one of them is enough' })

const unlessSaid = z.strictObject({
  by: speaker,
  any: wording,
  turns: turns('Within so many of their spoken turns before it'),
})

const gap = z.strictObject({
  at_least_s: seconds('Nobody speaks for so long'),
  below_s: seconds('And for less than this').optional(),
  unless: unlessSaid.optional().meta({ description: 'Leave out gaps that were announced so' }),
  at_least: z.int().min(1).max(1_000).optional().meta({ description: 'So many of them; 1 by default' }),
})

const overlap = z.strictObject({
  by: speaker.meta({ description: 'Who begins to speak' }),
  at_least_s: seconds('So long before the other one has ended'),
  turn_at_least_s: seconds('Of a turn of this length or more').optional(),
  at_least: z.int().min(1).max(1_000).optional().meta({ description: 'So often; once by default' }),
})

const silence = z.strictObject({
  gaps_of_s: seconds('Gaps of this length and more'),
  at_least: share('Fill this share of the call or more'),
  below: share('And less than this').optional(),
})

const talk = z.strictObject({
  by: speaker,
  at_least: share("The speaker's share of the talking time").optional(),
  below: share('And less than this').optional(),
})

const repeats = z.strictObject({
  by: speaker.meta({ description: 'Who repeats what the other one said before' }),
  numbers: z.boolean().default(true).meta({ description: 'Whether numbers count' }),
  words: z
    .array(z.string().min(1).max(100))
    .max(1_000)
    .default([])
    .meta({ description: 'Other values that count: words, and $names of lists of words' }),
  at_least: z.int().min(1).max(100).meta({ description: 'So many different values' }),
})

const gave = z.strictObject({
  by: speaker,
  numbers: z.boolean().default(true),
  words: z.array(z.string().min(1).max(100)).max(1_000).default([]),
  at_least: z.int().min(1).max(100).meta({ description: 'So many different values' }),
})

const driver = z.strictObject({
  is: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'One of these; any when left out' }),
  heard: z
    .boolean()
    .optional()
    .meta({ description: 'Only what the customer is heard to say, not what the record brings' }),
  hinted: z.boolean().optional().meta({ description: 'Only what the hints of the table say, and nothing clearer' }),
})

/** How far what the customer wanted has come when the call ends. */
const COURSE_ENDS = ['open', 'refused', 'claimed', 'accepted', 'contested'] as const
export type CourseEnd = (typeof COURSE_ENDS)[number]

const course = z.strictObject({
  is: z
    .array(z.enum(COURSE_ENDS))
    .min(1)
    .optional()
    .meta({ description: 'What the customer wanted ends in one of these' }),
  empty: z.literal(true).optional().meta({ description: 'The agent says nothing but what is said in any call' }),
})

const signalState = z.strictObject({
  key,
  is: z.enum(['present', 'absent', 'unclear']).default('present'),
})

type Wording = z.infer<typeof wording>

/** Somebody says something, somewhere in the call. */
export interface SayRule {
  readonly by: 'agent' | 'customer' | 'anyone'
  /** Anything at all when left out. */
  readonly any?: Wording | undefined
  /** What overlaps one of these does not count. */
  readonly not?: Wording | undefined
  /** Only in the first, or last, so many spoken turns of that speaker. */
  readonly first?: number | undefined
  readonly last?: number | undefined
  /** Only after another rule's turn; with `turns`, within so many of that speaker's spoken turns. */
  readonly after?: { readonly rule: Rule; readonly turns?: number | undefined } | undefined
  /** In so many turns; 1 by default. */
  readonly at_least?: number | undefined
}

/** How something is detected: exactly one of the fields. See docs/rubric.md for what each means. */
export interface Rule {
  readonly say?: SayRule | undefined
  readonly gap?: z.infer<typeof gap> | undefined
  readonly overlap?: z.infer<typeof overlap> | undefined
  readonly silence?: z.infer<typeof silence> | undefined
  readonly talk?: z.infer<typeof talk> | undefined
  readonly repeats?: z.infer<typeof repeats> | undefined
  readonly gave?: z.infer<typeof gave> | undefined
  readonly driver?: z.infer<typeof driver> | undefined
  readonly signal?: z.infer<typeof signalState> | undefined
  readonly course?: z.infer<typeof course> | undefined
  readonly all?: readonly Rule[] | undefined
  readonly any?: readonly Rule[] | undefined
  readonly not?: Rule | undefined
}

const KINDS = 'say, gap, overlap, silence, talk, repeats, gave, driver, signal, course, all, any, not'

/** A detection rule. The kinds are fields, not a union, so that a fault is reported at its own place. */
export const rule: z.ZodType<Rule, Rule> = z.lazy(() =>
  z
    .strictObject({
      say: say.optional(),
      gap: gap.optional(),
      overlap: overlap.optional(),
      silence: silence.optional(),
      talk: talk.optional(),
      repeats: repeats.optional(),
      gave: gave.optional(),
      driver: driver.optional(),
      signal: signalState.optional(),
      course: course.optional(),
      all: z.array(rule).min(1).max(100).optional(),
      any: z.array(rule).min(1).max(100).optional(),
      not: rule.optional(),
    })
    .refine(value => Object.values(value).filter(one => one !== undefined).length === 1, {
      error: `must have exactly one of ${KINDS}`,
      abort: true,
    }),
) as z.ZodType<Rule, Rule>

const say = z
  .strictObject({
    by: z.enum(['agent', 'customer', 'anyone']),
    any: wording.optional().meta({ description: 'What; anything at all when left out' }),
    not: wording.optional().meta({ description: 'What overlaps one of these does not count' }),
    first: turns('In the first so many spoken turns of that speaker').optional(),
    last: turns('In the last so many spoken turns of that speaker').optional(),
    after: z.strictObject({ rule, turns: turns('Within so many spoken turns of that speaker').optional() }).optional(),
    at_least: turns('In so many turns; 1 by default').optional(),
  })
  .refine(({ first, last }) => first === undefined || last === undefined, { error: 'may have first or last, not both' })
