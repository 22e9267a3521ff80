import { z } from 'zod'
import { listed } from '../base/issue-sentence.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { signalCategory, type SignalEntry, signalEntry } from '../calls/catalogs.js'
import { cursor, limit } from './arguments.js'
import type { Asker } from './asker.js'
import { catalogPage } from './catalog-page.js'
import { defined } from './defined.js'
import { question } from './question.js'
import { readDocuments } from './read-document.js'

/** Most different keys that are looked for. */
const MOST_KEYS = 10_000

/** A signal of the catalog; one that calls show and no catalog knows has its key for a name and nothing else. */
const listedSignal = signalEntry.extend({
  signal_key: z.string(),
  display_name: z.string(),
  description: signalEntry.shape.description.optional(),
  category: signalCategory.optional(),
})

/** Signals of calls in scope that no catalog knows, by key. */
async function uncatalogued(asker: Asker): Promise<readonly z.infer<typeof listedSignal>[]> {
  const found = await asker.ask([{ $unwind: '$signals' }, { $group: { _id: '$signals.key' } }, { $sort: { _id: 1 } }], {
    maxDocuments: MOST_KEYS,
  })
  return readDocuments(z.object({ _id: z.string() }), found)
    .filter(({ _id: key }) => !asker.catalogs.signals.has(key))
    .map(({ _id: key }) => ({ signal_key: key, display_name: key, applicable_verticals: [], active: false }))
}

/** A category that no signal of the project's catalog has. @throws Problem `invalid_input`, with those there are */
function refuseUnknown(category: string | undefined, signals: Iterable<SignalEntry>): void {
  const known = [...new Set([...signals].map(entry => entry.category))]
  if (category === undefined || known.includes(category)) return
  throw new Problem('invalid_input', `Argument "category" must be one of ${listed(known)}, not ${echo(category)}`)
}

function isFor(vertical: string, { applicable_verticals: its }: SignalEntry): boolean {
  return its.length === 0 || its.some(one => one.toLowerCase() === vertical.toLowerCase())
}

/** The project's catalog of signals. */
export const getSignals = question({
  name: 'get_signals',
  title: 'Get signals',
  description:
    'The catalog of signals: what each sig.… key means and which category it belongs to. Use it to understand signal keys in other answers or to find the key to filter search_calls with. It says nothing of how often a signal occurs; get_project_context does.',
  ofGroups: true,
  ofAudit: true,
  rest: { url: '/api/v1/signals', table: 'signals', example: { limit: 50 } },
  input: z.strictObject({
    category: z.string().optional().meta({
      description:
        'Only signals of this group: a dimension of the rubric (opening, listening, process, courtesy, resolution, closing unless the project has its own), or outcome, empathy, compliance, sales, churn, effort, escalation, safety, context',
    }),
    vertical: z.string().max(60).optional().meta({
      description:
        'Only signals for this line of business, such as banking, and those for all; with active_only false also those that the project could choose',
    }),
    active_only: z
      .boolean()
      .default(true)
      .meta({ description: 'Leave out signals that are no longer evaluated or that no catalog knows' }),
    limit: limit(100, 200),
    cursor,
  }),
  output: z.strictObject({
    signals: z.array(listedSignal),
    count: z.int(),
    total: z.int(),
    next_cursor: z.string().optional(),
  }),
  answer: async (asker, args) => {
    refuseUnknown(args.category, asker.catalogs.signals.values())
    const others = args.active_only || args.category !== undefined ? [] : await uncatalogued(asker)
    const catalogued = [...asker.catalogs.signals.values()].filter(
      entry =>
        (entry.active || !args.active_only) &&
        (args.category === undefined || entry.category === args.category) &&
        (args.vertical === undefined || isFor(args.vertical, entry)),
    )
    const all = [...catalogued, ...others]
    const page = catalogPage(asker, 'get_signals', args, all)
    return defined({ signals: [...page.items], count: page.items.length, total: page.total, next_cursor: page.next })
  },
})
