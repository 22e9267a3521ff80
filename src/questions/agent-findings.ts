import { z } from 'zod'
import type { Asker } from './asker.js'
import type { AgentRow } from './agent-rows.js'
import { eachOf, guidanceKind, type Kind, readBy, signalKind } from './kinds.js'
import { exampleIds } from './measures.js'
import { newestExamples } from './newest-examples.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** Signals or guidance of one agent. */
export const findingsSchema = z
  .array(
    z.strictObject({
      key: z.string(),
      display_name: z.string(),
      calls: z.int(),
      share: figure.meta({ description: 'Of the agent’s evaluated calls in the window' }),
      example_session_ids: exampleIds,
    }),
  )
  .meta({ description: 'The ten commonest' })

type Findings = z.infer<typeof findingsSchema>

const MOST = 10

const row = z.object({ _id: z.string(), calls: z.int() })
const agentSchema = z.object({ agent_id: z.string(), agent_name: z.string() })
const ofAgent = agentSchema.extend({ key: z.string() })
const agentRow = z.object({ _id: agentSchema, commonest: z.array(z.object({ key: z.string(), calls: z.int() })) })

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

/** The stages that count the calls of each value of a kind, among those that meet the conditions. */
const counted = (conditions: readonly object[], kind: Kind): readonly object[] => [
  { $match: { $and: conditions } },
  { $project: readBy(kind) },
  ...eachOf(kind),
  { $group: { _id: kind.by, calls: { $sum: 1 } } },
]

interface Shown {
  readonly kind: Kind
  readonly nameOf: (key: string) => string | undefined
}

/** The commonest values of a kind for each of some agents, by agent. */
async function commonest(
  asker: Asker,
  window: Window,
  agents: readonly AgentRow[],
  { kind, nameOf }: Shown,
): Promise<ReadonlyMap<string, Findings>> {
  const totals = new Map(agents.map(agent => [`${agent._id.agent_name}\n${agent._id.agent_id}`, agent.evaluated]))
  const conditions = [window.filter, { agent_name: { $in: agents.map(agent => agent._id.agent_name) } }]
  const documents = await asker.ask(
    [
      ...counted(conditions, kind),
      {
        $group: {
          _id: { agent_id: '$_id.agent_id', agent_name: '$_id.agent_name' },
          commonest: {
            $topN: { n: MOST, sortBy: { calls: -1, '_id.key': 1 }, output: { key: '$_id.key', calls: '$calls' } },
          },
        },
      },
    ],
    { maxDocuments: 100_000 },
  )
  // Of one name there may be another agent, who is not among them.
  const shown = readDocuments(agentRow, documents).flatMap(({ _id: agent, commonest: list }) => {
    const name = `${agent.agent_name}\n${agent.agent_id}`
    const of = totals.get(name)
    return of === undefined
      ? []
      : [{ name, of, list: list.map(({ key, calls }) => ({ id: { ...agent, key }, calls })) }]
  })
  const examples = await newestExamples(asker, conditions, [{ kind, of: shown.flatMap(({ list }) => list) }])
  return new Map(
    shown.map(({ name, of, list }) => [
      name,
      list.map(({ id, calls }) => finding(id.key, { calls, of, nameOf, examples: examples(kind, id) })),
    ]),
  )
}

function finding(
  key: string,
  {
    calls,
    of,
    nameOf,
    examples,
  }: {
    readonly calls: number
    readonly of: number
    readonly nameOf: (key: string) => string | undefined
    readonly examples: readonly string[]
  },
): Findings[number] {
  return { key, display_name: nameOf(key) ?? key, calls, share: calls / of, example_session_ids: [...examples] }
}

/** The commonest values of a kind in the calls that meet the conditions, together. */
async function commonestIn(
  asker: Asker,
  conditions: readonly object[],
  evaluated: number,
  { kind, nameOf }: Shown,
): Promise<Findings> {
  const documents = await asker.ask([...counted(conditions, kind), { $sort: { calls: -1, _id: 1 } }, { $limit: MOST }])
  const shown = readDocuments(row, documents).map(({ _id: id, calls }) => ({ id, calls }))
  const examples = await newestExamples(asker, conditions, [{ kind, of: shown }])
  return shown.map(({ id, calls }) => finding(id, { calls, of: evaluated, nameOf, examples: examples(kind, id) }))
}

/** What is shown of an agent's calls, by the names of the catalogs. */
function shownOf({ catalogs }: Asker): { readonly signals: Shown; readonly guidance: Shown } {
  return {
    signals: { kind: signalKind, nameOf: key => catalogs.signals.get(key)?.display_name },
    guidance: { kind: guidanceKind, nameOf: key => catalogs.guidance.get(key)?.display_name },
  }
}

/** What the calls that meet the conditions show most, whoever took them. @param evaluated how many of them are */
export async function findingsIn(asker: Asker, matching: readonly object[], evaluated: number) {
  if (evaluated === 0) return { signals: [], guidance: [] }
  const shown = shownOf(asker)
  const [signals, guidance] = await Promise.all([
    commonestIn(asker, matching, evaluated, shown.signals),
    commonestIn(asker, matching, evaluated, shown.guidance),
  ])
  return { signals, guidance }
}

/** What the calls of some agents show most. */
export async function agentFindings(asker: Asker, window: Window, agents: readonly AgentRow[]) {
  const shown = shownOf(asker)
  const [signals, guidance] = await Promise.all([
    commonest(asker, window, agents, { ...shown.signals, kind: byAgent(signalKind) }),
    commonest(asker, window, agents, { ...shown.guidance, kind: byAgent(guidanceKind) }),
  ])
  return { signals, guidance }
}
