import { z } from 'zod'
import { guidanceEntry, signalEntry } from '../../calls/catalogs.js'
import { rule, wording } from './rule.js'

const words = (what: string, max = 500) => z.string().min(1).max(max).meta({ description: what })
const name = (what: string) =>
  z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a word of a-z, 0-9 and _')
    .meta({ description: what })

const measured = (what: string) => z.number().min(0).max(1).optional().meta({ description: what })

const confidence = z.strictObject({
  present: measured('Share of the calls in which it is found present that a person says the same of, 0–1'),
  usual: measured('Likewise where it is found in one of the wordings'),
  wordings: z
    .array(z.string().min(1).max(500))
    .max(500)
    .default([])
    .meta({ description: 'Words, in lower case and without contractions, that show it in many labelled calls' }),
  absent: measured('Likewise of those in which it is found absent'),
  unclear: measured('Likewise of those in which it is unclear'),
})

const signal = z.strictObject({
  key: signalEntry.shape.signal_key,
  name: signalEntry.shape.display_name,
  description: signalEntry.shape.description,
  category: signalEntry.shape.category,
  verticals: signalEntry.shape.applicable_verticals,
  active: signalEntry.shape.active,
  weight: z.number().min(0).max(100).default(0).meta({ description: 'In its dimension; 0 = context only' }),
  negative: z.boolean().default(false).meta({ description: 'Whether it counts against the call' }),
  side: z
    .enum(['agent', 'customer'])
    .default('agent')
    .meta({ description: 'Whose behaviour it is: outcome lift asks what the agent did' }),
  applies: rule.optional().meta({ description: 'Where this does not hold, the signal is left out' }),
  present: rule.meta({ description: 'Present where this holds' }),
  unclear: rule.optional().meta({ description: 'Else unclear where this holds' }),
  absent: rule.optional().meta({ description: 'With this, absent only where it holds, and unclear otherwise' }),
  worth: z
    .array(
      z.strictObject({
        when: rule,
        counts: z.number().min(0).max(1).meta({ description: 'Share of its weight that counts for the call, 0–1' }),
      }),
    )
    .max(10)
    .default([])
    .meta({ description: 'What it counts where it is present or unclear and one of these holds; the first that does' }),
  confidence: confidence.optional().meta({
    description: 'How often it is right, as measured on labelled calls; without it, records say nothing of it',
  }),
  coaching: z
    .strictObject({
      strength: words('Said of it when it speaks for the agent').optional(),
      improvement: words('Said of it when it speaks against the agent').optional(),
      next_step: words('What to do about it').optional(),
    })
    .optional(),
})

const dimension = z.strictObject({
  key: name('Key of the dimension; signals name it as their category'),
  name: words('Its name for people', 120),
  weight: z.number().gt(0).max(1_000).meta({ description: 'In the score' }),
})

const cap = z.strictObject({
  key: name('Key of the cap; conditions name it cap.…'),
  most: z.number().min(1).max(5).meta({ description: 'The score is at most this' }),
  when: rule,
  reason: words('Why'),
  active: z.boolean().default(true),
})

const csatPart = z.strictObject({
  key: name('Key of the part; conditions name it csat.…'),
  add: z.number().min(-4).max(4).meta({ description: 'Added where the rule holds' }),
  when: rule,
  side: z
    .enum(['agent', 'customer'])
    .meta({ description: "Agent-side parts are left out where a call's outcome is judged for outcome lift" }),
  each: z
    .strictObject({ beyond: z.int().min(0).max(100) })
    .optional()
    .meta({ description: 'Added for each turn the rule finds, beyond so many' }),
  reason: words('What it stands for'),
  active: z.boolean().default(true),
})

const guide = z.strictObject({
  key: guidanceEntry.shape.guide_key,
  name: guidanceEntry.shape.display_name,
  description: guidanceEntry.shape.description,
  kind: guidanceEntry.shape.guidance_kind,
  priority: guidanceEntry.shape.priority,
  actionability: guidanceEntry.shape.actionability,
  verticals: guidanceEntry.shape.applicable_verticals,
  active: guidanceEntry.shape.active,
  when: rule.meta({ description: 'Given where this holds; made of signals, which become its signal_keys' }),
})

const driver = z.strictObject({
  driver: words('What the record gets as interaction_driver', 200),
  description: words('What calls it is for: a language model is told it', 300).optional(),
  any: wording,
  not: wording.optional(),
  hints: wording.optional().meta({ description: 'Weaker words, which decide where no driver of the table is named' }),
})

const course = z.strictObject({
  claimed: rule.meta({ description: 'What the agent says when it is done' }),
  refused: rule.meta({ description: "What the agent says when it can't be" }),
  accepted: rule.meta({ description: 'What the customer says when it is as they wanted' }),
  contested: rule.meta({ description: 'What the customer says when it is not' }),
  stock: wording.meta({ description: 'What an agent says in any call' }),
  everyday: z
    .array(z.string().min(1).max(100))
    .max(1_000)
    .default([])
    .meta({ description: 'Words that both say in any call' }),
  asks_more: z
    .array(z.string().min(1).max(100))
    .max(1_000)
    .default([])
    .meta({ description: 'Words with which a question after the claim asks for more than whether it is so' }),
})

const unscored = z.strictObject({
  key: name('What it is instead of a conversation, such as voicemail'),
  when: rule,
  reason: words('Said in trust', 200),
})

const reading = z.strictObject({
  key: name('Key of the reading, such as customer_effort'),
  values: z
    .array(z.strictObject({ value: words('Its value', 100), when: rule.optional() }))
    .min(1)
    .max(20)
    .meta({ description: 'The first that holds; one without a rule always does' }),
})

/** What calls of one kind are read for and how they are scored. */
const kindRubric = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be a word of a-z, 0-9, _ and -')
    .meta({ description: 'Kept with each evaluation' }),
  title: words('For people', 120),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'must be a language of ISO 639 such as en')
    .meta({ description: 'The language its words are in; calls in another are evaluated without words' }),
  lists: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a word of a-z, 0-9 and _'), wording)
    .default({})
    .meta({ description: 'Lists of phrases that rules name as $name' }),
  drivers: z
    .strictObject({
      turns: z.int().min(1).max(100).default(4).meta({ description: 'Spoken turns of the customer that are read' }),
      table: z.array(driver).max(500),
    })
    .default({ turns: 4, table: [] }),
  course: course.optional().meta({
    description:
      'What moves a call on from what the customer wants to what becomes of it, for rules of the kind course',
  }),
  dimensions: z.array(dimension).min(1).max(50),
  take: z
    .array(
      z
        .string()
        .regex(/^(sig\.)?[a-z][a-z0-9_.]{0,99}$/, 'must be a group such as churn, or a signal such as sig.fee_waived'),
    )
    .max(100)
    .optional()
    .meta({
      description: 'Groups (categories) or keys of signals of the catalog, which this rubric has beside its own',
    }),
  signals: z.array(signal).min(1).max(500),
  caps: z.array(cap).max(50).default([]),
  csat: z
    .strictObject({ start: z.number().min(1).max(5), parts: z.array(csatPart).max(100) })
    .optional()
    .meta({ description: 'How customer satisfaction is predicted; without it there is no prediction' }),
  unscored: z.array(unscored).max(20).default([]).meta({
    description: 'What is no conversation to score: the first that holds leaves out score, prediction and coaching',
  }),
  roles: z.array(z.string()).max(50).default([]).meta({
    description:
      'Signals that only agents show, and customers when they say why they call: by them it is told when a transcript has the two the wrong way round. Those that this rubric does not have are passed over',
  }),
  readings: z.array(reading).max(50).default([]),
  guidance: z.array(guide).max(500).default([]),
  holds: wording
    .optional()
    .meta({ description: 'What the agent says to announce a wait, for talk_patterns.hold_count' }),
  backchannels: wording.optional().meta({
    description:
      'What listeners say while the other one speaks: a turn of nothing else interrupts nobody and is not counted between an announcement and its wait',
  }),
  intensifiers: wording.optional().meta({
    description:
      'Words such as "really": evidence in which or by which one of them stands counts twice in the strength of a signal',
  }),
  coaching: z
    .strictObject({
      strengths: words('Heading of the strengths'),
      improvements: words('Heading of the improvements'),
      next_step: words('Heading of the next step'),
      nothing: words('Said when there is nothing to say'),
    })
    .default({
      strengths: 'What went well:',
      improvements: 'To work on:',
      next_step: 'Next step:',
      nothing: 'Nothing stands out in this call.',
    }),
})

const oneOf = <Of extends z.ZodType>(value: Of, what: string) =>
  z
    .array(value)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: `${what}: one of these` })

const kind = z.strictObject({
  key: name('Name of the kind of call, such as sales'),
  when: z
    .strictObject({
      direction: oneOf(z.enum(['inbound', 'outbound']), 'interaction_direction of the record'),
      channel: oneOf(z.enum(['phone', 'chat', 'email', 'sms']), 'channel of the record'),
      driver: oneOf(words('A reason', 200), 'The reason that the record brings, in any case'),
      metadata: z
        .record(
          z.string().min(1).max(100),
          z
            .array(z.union([words('A text', 500), z.number(), z.boolean()]))
            .min(1)
            .max(100),
        )
        .optional()
        .meta({ description: 'By field of session_metadata, such as queue, in any case: one of these' }),
    })
    .refine(when => Object.keys(when).length > 0, 'must name direction, channel, driver or metadata')
    .meta({ description: 'Calls of which all of this holds' }),
  rubric: kindRubric.meta({
    description: 'What they are read by: the name of a built-in rubric, or one of its own, which may extend one',
  }),
})

/** A rubric: what calls are read for and how they are scored, as data. Cross-references are checked by checkRubric. */
export const rubric = kindRubric
  .extend({
    kinds: z.array(kind).min(1).max(8).optional().meta({
      description:
        'Calls that are read by another rubric, by what their record says: the first that fits. All others are read by this one',
    }),
  })
  .meta({ description: 'A rubric: signals, how they are detected, and how calls are scored by them.' })

export type Rubric = z.infer<typeof rubric>
/** What calls of a kind are read by. */
export type KindRubric = z.infer<typeof kindRubric>
export type RubricKind = z.infer<typeof kind>
export type RubricInput = z.input<typeof rubric>
export type RubricSignal = Rubric['signals'][number]
export type RubricGuide = Rubric['guidance'][number]
