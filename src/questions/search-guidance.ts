import { z } from 'zod'
import { type GuidanceEntry, guidanceEntry } from '../calls/catalogs.js'
import { cursor, exactName, limit } from './arguments.js'
import { catalogPage } from './catalog-page.js'
import { defined } from './defined.js'
import { question } from './question.js'

const { guidance_kind, priority } = guidanceEntry.shape

const input = z.strictObject({
  guide_key: exactName('One entry by its key').optional(),
  signal_key: exactName('Entries tied to this signal, such as sig.empathy_shown').optional(),
  query: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Text that occurs in name or description; any case, taken literally' }),
  guidance_kind: guidance_kind.optional(),
  priority: priority.optional(),
  active_only: z.boolean().default(true).meta({ description: 'Leave out entries that are no longer given' }),
  limit: limit(25, 100),
  cursor,
})

function matches(entry: GuidanceEntry, args: z.output<typeof input>): boolean {
  const wanted = args.query?.trim().toLowerCase() ?? ''
  const text = `${entry.display_name}\n${entry.description}\n${entry.guide_key}`.toLowerCase()
  return (
    (entry.active || !args.active_only) &&
    (args.guide_key === undefined || entry.guide_key === args.guide_key) &&
    (args.signal_key === undefined || entry.signal_keys.includes(args.signal_key)) &&
    (args.guidance_kind === undefined || entry.guidance_kind === args.guidance_kind) &&
    (args.priority === undefined || entry.priority === args.priority) &&
    text.includes(wanted)
  )
}

/** The project's catalog of guidance. */
export const searchGuidance = question({
  name: 'search_guidance',
  title: 'Search guidance',
  description:
    'The catalog of coaching entries (guide.…): what each says, how urgent it is, and which signals it is tied to. Use it to explain guidance in other answers, or to find advice for a signal. It holds general advice; what a single call was given is in get_call_detail.',
  ofGroups: true,
  ofAudit: true,
  rest: { url: '/api/v1/guidance', table: 'items', example: { limit: 10 } },
  input,
  output: z.strictObject({
    items: z.array(guidanceEntry),
    count: z.int(),
    total: z.int(),
    next_cursor: z.string().optional(),
  }),
  answer: (asker, args) => {
    const all = [...asker.catalogs.guidance.values()].filter(entry => matches(entry, args))
    const page = catalogPage(asker, 'search_guidance', args, all)
    return Promise.resolve(
      defined({ items: [...page.items], count: page.items.length, total: page.total, next_cursor: page.next }),
    )
  },
})
