import { z } from 'zod'
import type { Asker } from './asker.js'
import type { AgentRow } from './agent-rows.js'
import { askAgents, askCounts, total } from './counted.js'
import { defined } from './defined.js'
import { eachOf, guidanceKind, type Kind, readBy, signalKind } from './kinds.js'
import { exampleIds } from './measures.js'
import { examplesAmong, type FindExamples } from './newest-examples.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** Signals or coaching entries that are listed unless all are asked for. */
const STANDING_OUT = 5

/** Signals or guidance of one agent. */
export const findingsSchema = z
  .array(
    z.strictObject({
      key: z.string(),
      display_name: z.string(),
      calls: z.int(),
      share: figure.meta({ description: 'Of the agent’s evaluated calls in the window' }),
      scope_share: figure.meta({ description: 'Of all evaluated calls in scope in the window' }),
      z: figure.optional().meta({
        description:
          'Standard errors between the agent’s share and that of everyone else; within 3 it may be chance. Absent without anyone else',
      }),
      example_session_ids: exampleIds,
    }),
  )
  .meta({ description: 'What stands out most from the scope’s average, either way, first' })

export const includeSignals = {
  include_signals: z
    .boolean()
    .default(false)
    .meta({
      description: `Whether to give the ${STANDING_OUT} signals and the ${STANDING_OUT} coaching entries of each agent that stand out most from the scope’s average`,
    }),
  all_signals: z
    .boolean()
    .default(false)
    .meta({ description: `With include_signals: all of them, not only ${STANDING_OUT}` }),
}

/** What of the findings is asked for. */
interface Wish {
  readonly all_signals: boolean
  readonly examples: number
}

/** What is wished of each kind; examples of both are looked for among the same calls. */
interface WishOfKind extends Pick<Wish, 'all_signals'> {
  readonly find: FindExamples
}

type Findings = z.infer<typeof findingsSchema>

/** Most different values that are read. */
const MOST_FINDINGS = 100_000

const row = z.object({ _id: z.string(), calls: z.int() })
const ofAgent = z.object({ agent_id: z.string(), agent_name: z.string(), key: z.string() })
type AgentKey = z.infer<typeof ofAgent>

/** A kind of calls, told apart by their agent too. */
function byAgent(kind: Kind): Kind {
  return {
    ...kind,
    fields: ['agent_id', 'agent_name', ...kind.fields],
    by: { agent_id: '$agent_id', agent_name: '$agent_name', key: kind.by },
    // More than is asked for: some agents' calls with some values.
    among: ids => {
      const all = z.array(ofAgent).parse(ids)
      const names = new Set(all.map(id => id.agent_name))
      const keys = new Set(all.map(id => id.key))
      return { $and: [{ agent_name: { $in: [...names] } }, kind.among([...keys])] }
    },
    having: id => {
      const { agent_id: agentId, agent_name: agentName, key } = ofAgent.parse(id)
      return { $and: [{ agent_id: { $eq: agentId }, agent_name: { $eq: agentName } }, kind.having(key)] }
    },
  }
}

/** How many calls of the window have each value of a kind. */
async function countedIn(asker: Asker, { filter }: Window, { by }: Shown): Promise<ReadonlyMap<string, number>> {
  const stages = [{ $group: { _id: '$key', calls: total('calls') } }]
  const rows = readDocuments(row, await askCounts(asker, by, filter, stages, { maxDocuments: MOST_FINDINGS }))
  return new Map(rows.map(({ _id: key, calls }) => [key, calls]))
}

/** How many calls of each of the agents have each value of a kind. */
async function countedOf(asker: Asker, { filter }: Window, { by }: Shown, agents: readonly object[]) {
  const _id = { agent_id: '$agent_id', agent_name: '$agent_name', key: '$key' }
  const documents = await askCounts(
    asker,
    by,
    filter,
    [{ $match: { $and: agents } }, { $group: { _id, calls: total('calls') } }],
    { packed: [{ name: 'calls', count: 'calls', factors: [1] }], maxDocuments: MOST_FINDINGS },
  )
  return readDocuments(z.object({ _id: ofAgent, calls: z.number() }), documents)
}

/** How many of the calls that meet the conditions have each value of a kind. */
async function counted(asker: Asker, conditions: readonly object[], kind: Kind): Promise<ReadonlyMap<string, number>> {
  const documents = await asker.ask(
    [
      { $match: { $and: conditions } },
      { $project: readBy(kind) },
      ...eachOf(kind),
      { $group: { _id: kind.by, calls: { $sum: 1 } } },
    ],
    { maxDocuments: MOST_FINDINGS },
  )
  return new Map(readDocuments(row, documents).map(({ _id: key, calls }) => [key, calls]))
}

/** Calls with each value of a kind, and how many there are to have it. */
interface Counts {
  readonly calls: ReadonlyMap<string, number>
  readonly of: number
}

interface Standing {
  readonly key: string
  readonly calls: number
  readonly share: number
  readonly scopeShare: number
  readonly z: number | undefined
}

/**
 * What of an agent's calls stands out from the scope's, that of most standard errors first. What the scope shows and the agent
 * never does stands out as well.
 */
function standingOut(own: Counts, scope: Counts, all: boolean): readonly Standing[] {
  if (own.of === 0) return []
  const rest = scope.of - own.of
  const standing = [...scope.calls].map(([key, inScope]) => {
    const calls = own.calls.get(key) ?? 0
    const [share, scopeShare] = [calls / own.of, inScope / scope.of]
    const error = Math.sqrt(scopeShare * (1 - scopeShare) * (1 / own.of + 1 / rest))
    const z = rest <= 0 ? undefined : error > 0 ? (share - (inScope - calls) / rest) / error : 0
    return { key, calls, share, scopeShare, z }
  })
  const sorted = standing.toSorted(
    (a, b) => Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0) || b.calls - a.calls || (a.key < b.key ? -1 : 1),
  )
  return all ? sorted : sorted.slice(0, STANDING_OUT)
}

interface Shown {
  readonly kind: Kind
  readonly by: 'signal' | 'guidance'
  readonly nameOf: (key: string) => string | undefined
}

function finding({ key, calls, share, scopeShare, z }: Standing, { nameOf }: Shown, ids: string[] | undefined) {
  return defined({
    key,
    display_name: nameOf(key) ?? key,
    calls,
    share,
    scope_share: scopeShare,
    z,
    example_session_ids: ids,
  })
}

/** What is shown of an agent's calls, by the names of the catalogs. */
function shownOf({ catalogs }: Asker): { readonly signals: Shown; readonly guidance: Shown } {
  return {
    signals: { kind: signalKind, by: 'signal', nameOf: key => catalogs.signals.get(key)?.display_name },
    guidance: { kind: guidanceKind, by: 'guidance', nameOf: key => catalogs.guidance.get(key)?.display_name },
  }
}

const nameOf = ({ agent_id, agent_name }: Omit<AgentKey, 'key'>) => `${agent_name}\n${agent_id}`

const namedAs = (agents: readonly AgentRow[]) => [{ agent_name: { $in: agents.map(agent => agent._id.agent_name) } }]

/** What of a kind stands out in the calls of each of some agents, by agent. */
async function ofAgents(
  asker: Asker,
  window: Window,
  agents: readonly AgentRow[],
  evaluated: number,
  shown: Shown,
  { all_signals: all, find }: WishOfKind,
): Promise<ReadonlyMap<string, Findings>> {
  const kind = byAgent(shown.kind)
  const [inScope, rows] = await Promise.all([
    countedIn(asker, window, shown),
    countedOf(asker, window, shown, namedAs(agents)),
  ])
  const scope = { calls: inScope, of: evaluated }
  const own = new Map(agents.map(agent => [nameOf(agent._id), new Map<string, number>()]))
  for (const { _id: id, calls } of rows) own.get(nameOf(id))?.set(id.key, calls)
  const standing = agents.map(agent => {
    const calls = own.get(nameOf(agent._id)) ?? new Map<string, number>()
    return { agent: agent._id, list: standingOut({ calls, of: agent.evaluated }, scope, all) }
  })
  const of = standing.flatMap(({ agent, list }) =>
    list.filter(({ calls }) => calls > 0).map(({ key, calls }) => ({ id: { ...agent, key }, calls })),
  )
  const examples = await find([{ kind, of }])
  return new Map(
    standing.map(({ agent, list }) => [
      nameOf(agent),
      list.map(one => finding(one, shown, examples(kind, { ...agent, key: one.key }))),
    ]),
  )
}

/** What stands out in the calls of some agents. @param evaluated calls in scope in the window */
export async function agentFindings(
  asker: Asker,
  window: Window,
  agents: readonly AgentRow[],
  evaluated: number,
  wish: Wish,
) {
  const shown = shownOf(asker)
  const find = examplesAmong(asker, { filter: window.filter, agents: namedAs(agents) }, wish.examples)
  const [signals, guidance] = await Promise.all([
    ofAgents(asker, window, agents, evaluated, shown.signals, { ...wish, find }),
    ofAgents(asker, window, agents, evaluated, shown.guidance, { ...wish, find }),
  ])
  return { signals, guidance }
}

/** What of a kind stands out in the calls of the window that meet a condition. */
async function ofCalls(
  asker: Asker,
  window: Window,
  condition: object,
  evaluated: number,
  shown: Shown,
  { all_signals: all, find }: WishOfKind,
) {
  const { filter } = window
  const [inScope, of, calls] = await Promise.all([
    countedIn(asker, window, shown),
    evaluatedIn(asker, window),
    counted(asker, [filter, condition], shown.kind),
  ])
  const list = standingOut({ calls, of: evaluated }, { calls: inScope, of }, all)
  const shows = list.flatMap(one => (one.calls > 0 ? [{ id: one.key, calls: one.calls }] : []))
  const examples = await find([{ kind: shown.kind, of: shows }])
  return list.map(one => finding(one, shown, examples(shown.kind, one.key)))
}

async function evaluatedIn(asker: Asker, window: Window): Promise<number> {
  const [found] = await askAgents(asker, window, [{ $group: { _id: null, evaluated: total('evaluated') } }])
  return z.int().parse(found?.['evaluated'] ?? 0)
}

/** What stands out in the calls of the window that meet a condition. @param evaluated how many of them are */
export async function findingsIn(asker: Asker, window: Window, condition: object, evaluated: number, wish: Wish) {
  const shown = shownOf(asker)
  const find = examplesAmong(asker, { filter: window.filter, agents: [condition] }, wish.examples)
  const [signals, guidance] = await Promise.all([
    ofCalls(asker, window, condition, evaluated, shown.signals, { ...wish, find }),
    ofCalls(asker, window, condition, evaluated, shown.guidance, { ...wish, find }),
  ])
  return { signals, guidance }
}
