import { z } from 'zod'
import { closest } from '../base/closest.js'
import { isoInstant } from '../base/window.js'
import type { AskOptions, Asker } from './asker.js'
import { defined } from './defined.js'
import { type Kind, isOf } from './kinds.js'
import { type NamedValues, heldValues, namedConditions } from './named-values.js'
import { namesInScope } from './names-in-scope.js'
import { readDocuments } from './read-document.js'
import type { SearchTerm } from './search-terms.js'
import { type Window, callsOf } from './window.js'

/** Most names that are looked through for the closest. */
const MOST_NAMES = 10_000

export const whyEmptySchema = z
  .strictObject({
    unknown: z
      .array(z.strictObject({ argument: z.string(), value: z.string().optional(), closest: z.string().optional() }))
      .optional()
      .meta({
        description:
          'Arguments whose value no call in scope has, with the closest that one has; of "text" each word or phrase that no call has',
      }),
    first_call: z.string().optional().meta({ description: 'None is in the period: they begin here' }),
    last_call: z.string().optional().meta({ description: 'and end here' }),
  })
  .meta({ description: 'Where nothing was found for a reason other than that nothing matches' })

/**
 * Why an answer without calls may have none: a name nobody in scope has, which is mostly misspelled, or a period without
 * calls, of the agent where one is asked for. A model that is told nothing reports that there are no such calls. All of
 * it is looked for in scope: a name outside of it is as unknown as one that nobody has. Undefined where nothing is known
 * to be amiss.
 */
export async function whyEmpty(
  asker: Asker,
  { filter: { created_dt } }: Pick<Window, 'filter'>,
  values: NamedValues,
  terms: readonly SearchTerm[] = [],
): Promise<z.infer<typeof whyEmptySchema> | undefined> {
  const [named, unheard] = await Promise.all([unknownOf(asker, values), unheardOf(asker, terms)])
  const unknown = [...named, ...unheard]
  const isAgentUnknown = named.some(({ argument }) => argument === 'agent_name' || argument === 'agent_id')
  const { agent_name, agent_id } = isAgentUnknown ? {} : values
  const agents = namedConditions({ agent_name, agent_id })
  const outside = await callsOutside(asker, created_dt === undefined ? {} : { created_dt }, agents)
  if (unknown.length === 0 && outside === undefined) return undefined
  return defined({ unknown: unknown.length > 0 ? unknown : undefined, ...outside })
}

/** Arguments whose value is the name of nothing in scope. */
export async function unknownOf(asker: Asker, values: NamedValues) {
  const looked = heldValues(values).map(async held => {
    const { argument, calledBy, catalog, condition, kind, known, value } = held
    const listed = new Set([...(known ?? []), ...((catalog && asker.catalogs[catalog].keys()) ?? [])])
    if (listed.has(value) || (await occurs(asker, condition, { future: true }))) return []
    const names = [...listed, ...(await namesInScope(asker, kind, MOST_NAMES))]
    const called = calledBy === undefined ? [] : await namesInScope(asker, calledBy, MOST_NAMES)
    // A name as it is comes before a value that is spelled like it, which comes before a name spelled like it.
    const exactly = called.find(name => name.toLowerCase() === value.toLowerCase())
    const alike = exactly === undefined ? closest(value, names) : undefined
    const name = alike === undefined ? (exactly ?? closest(value, called)) : undefined
    const meant =
      name === undefined || calledBy === undefined ? alike : await valueUnder(asker, calledBy.having(name), kind)
    return [defined({ argument, closest: meant })]
  })
  return (await Promise.all(looked)).flat()
}

/** Most words of a search that are looked for one by one: each that no call has is looked for in all of them. */
const MOST_TERMS = 8

/** Words and phrases that no call in scope has at any time. */
async function unheardOf(asker: Asker, terms: readonly SearchTerm[]) {
  const looked = terms.slice(0, MOST_TERMS).map(async ({ term, condition }) => {
    return (await occurs(asker, condition, { future: true })) ? [] : [{ argument: 'text', value: term }]
  })
  return (await Promise.all(looked)).flat()
}

/** The value of a kind that most calls in scope have which meet a condition. */
async function valueUnder(asker: Asker, condition: object, kind: Kind): Promise<string | undefined> {
  const found = await asker.ask([
    { $match: { $and: [condition, ...isOf(kind)] } },
    { $group: { _id: kind.by, calls: { $sum: 1 } } },
    { $sort: { calls: -1, _id: 1 } },
    { $limit: 1 },
  ])
  return readDocuments(z.object({ _id: z.string() }), found)[0]?._id
}

export async function occurs(asker: Asker, condition: object, options: AskOptions = {}): Promise<boolean> {
  const found = await asker.ask([{ $match: condition }, { $limit: 1 }, { $project: { _id: 1 } }], options)
  return found.length > 0
}

/** When calls of some agents begin and end, if none of them is in the period: those that have begun, else those dated ahead. */
async function callsOutside(asker: Asker, filter: object, agents: readonly object[]) {
  if (await occurs(asker, { $and: [filter, ...agents] })) return undefined
  const begun = await callsOf(asker, { agents })
  const { first, last } = begun.first === undefined ? await callsOf(asker, { agents }, { future: true }) : begun
  if (first === undefined || last === undefined) return undefined
  return { first_call: isoInstant(first), last_call: isoInstant(last) }
}
