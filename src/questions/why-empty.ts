import { z } from 'zod'
import { closest } from '../base/closest.js'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { readDocuments } from './read-document.js'
import { type Window, callsOf } from './window.js'

/** Most names that are looked through for the closest. */
const MOST_NAMES = 10_000

/** Values a caller filters by that are names of something: only what is spelled exactly is found. */
export interface NamedValues {
  readonly agent_name?: string | undefined
  readonly driver?: string | undefined
  readonly signal_key?: string | undefined
  readonly guide_key?: string | undefined
}

export const whyEmptySchema = z
  .strictObject({
    unknown: z
      .array(z.strictObject({ argument: z.string(), closest: z.string().optional() }))
      .optional()
      .meta({ description: 'Arguments whose value no call in scope has, with the closest that one has' }),
    first_call: z.string().optional().meta({ description: 'The period has no calls at all: they begin here' }),
    last_call: z.string().optional().meta({ description: 'and end here' }),
  })
  .meta({ description: 'Where nothing was found for a reason other than that nothing matches' })

/** What holds the values of an argument in a call, and the names a catalog knows beside those of calls. */
const HELD = {
  agent_name: { field: 'agent_name', known: () => undefined },
  driver: { field: 'interaction_driver', known: () => undefined },
  signal_key: { field: 'present_signals', known: ({ catalogs }: Asker) => catalogs.signals },
  guide_key: { field: 'guidance_keys', known: ({ catalogs }: Asker) => catalogs.guidance },
} as const satisfies Record<
  keyof NamedValues,
  { field: string; known: (asker: Asker) => ReadonlyMap<string, unknown> | undefined }
>

/**
 * Why an answer without calls may have none: a name nobody in scope has, which is mostly misspelled, or a period without
 * calls. A model that is told nothing reports that there are no such calls. All of it is looked for in scope: a name
 * outside of it is as unknown as one that nobody has. Undefined where nothing is known to be amiss.
 */
export async function whyEmpty(
  asker: Asker,
  { filter }: Pick<Window, 'filter'>,
  values: NamedValues,
): Promise<z.infer<typeof whyEmptySchema> | undefined> {
  const [unknown, outside] = await Promise.all([unknownOf(asker, values), callsOutside(asker, filter)])
  if (unknown.length === 0 && outside === undefined) return undefined
  return defined({ unknown: unknown.length > 0 ? unknown : undefined, ...outside })
}

/** Arguments whose value is the name of nothing in scope. */
export async function unknownOf(asker: Asker, values: NamedValues) {
  const looked = Object.entries(HELD).map(async ([argument, { field, known }]) => {
    const value = values[argument as keyof NamedValues]
    if (value === undefined || known(asker)?.has(value) === true) return []
    if (await occurs(asker, { [field]: { $eq: value } })) return []
    const near = closest(value, known(asker)?.keys() ?? (await namesOf(asker, field)))
    return [defined({ argument, closest: near })]
  })
  return (await Promise.all(looked)).flat()
}

async function occurs(asker: Asker, condition: object): Promise<boolean> {
  const found = await asker.ask([{ $match: condition }, { $limit: 1 }, { $project: { _id: 1 } }])
  return found.length > 0
}

/** The names of a field in scope, those of most calls first. */
async function namesOf(asker: Asker, field: string): Promise<readonly string[]> {
  const found = await asker.ask(
    [
      { $match: { [field]: { $ne: null } } },
      { $group: { _id: `$${field}`, calls: { $sum: 1 } } },
      { $sort: { calls: -1, _id: 1 } },
      { $limit: MOST_NAMES },
    ],
    { maxDocuments: MOST_NAMES },
  )
  return readDocuments(z.object({ _id: z.string() }), found).map(one => one._id)
}

/** When calls in scope begin and end, if none of them is in the period. */
async function callsOutside(asker: Asker, filter: object) {
  if (await occurs(asker, filter)) return undefined
  const { first, last } = await callsOf(asker)
  if (first === undefined || last === undefined) return undefined
  return { first_call: new Date(first).toISOString(), last_call: new Date(last).toISOString() }
}
