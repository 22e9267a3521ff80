import { z } from 'zod'
import type { Asker } from './asker.js'
import type { AgentRow } from './agent-rows.js'
import { EXAMPLES, exampleIds } from './measures.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'

/** Signals or guidance of one agent. */
export const findingsSchema = z
  .array(
    z.strictObject({
      key: z.string(),
      display_name: z.string(),
      calls: z.int(),
      share: z.number().meta({ description: 'Of the agent’s calls in the window' }),
      example_session_ids: exampleIds,
    }),
  )
  .meta({ description: 'The ten commonest' })

type Findings = z.infer<typeof findingsSchema>

const MOST = 10

const row = z.object({
  _id: z.object({ agent_id: z.string(), agent_name: z.string(), key: z.string() }),
  calls: z.int(),
  examples: z.array(z.string()),
})

/** The commonest values of a list field for each of some agents, by agent. */
async function commonest(
  asker: Asker,
  window: Window,
  agents: readonly AgentRow[],
  field: string,
  nameOf: (key: string) => string | undefined,
): Promise<ReadonlyMap<string, Findings>> {
  const totals = new Map(agents.map(agent => [`${agent._id.agent_name}\n${agent._id.agent_id}`, agent.calls]))
  const documents = await asker.ask(
    [
      { $match: { ...window.filter, agent_name: { $in: agents.map(agent => agent._id.agent_name) } } },
      { $project: { agent_id: 1, agent_name: 1, created_dt: 1, [field]: 1 } },
      { $unwind: `$${field}` },
      {
        $group: {
          _id: { agent_id: '$agent_id', agent_name: '$agent_name', key: `$${field}` },
          calls: { $sum: 1 },
          examples: EXAMPLES,
        },
      },
      { $sort: { calls: -1, '_id.key': 1 } },
    ],
    { maxDocuments: 100_000 },
  )
  const found = new Map<string, Findings>()
  for (const { _id, calls, examples } of readDocuments(row, documents)) {
    const agent = `${_id.agent_name}\n${_id.agent_id}`
    const list = found.get(agent) ?? []
    const total = totals.get(agent)
    if (total === undefined || list.length >= MOST) continue
    list.push({
      key: _id.key,
      display_name: nameOf(_id.key) ?? _id.key,
      calls,
      share: calls / total,
      example_session_ids: examples,
    })
    found.set(agent, list)
  }
  return found
}

const ofAll = z.object({ _id: z.string(), calls: z.int(), examples: z.array(z.string()) })

/** The commonest values of a list field in the calls that meet the conditions, together. */
async function commonestIn(
  asker: Asker,
  matching: readonly object[],
  { field, calls: total, nameOf }: { field: string; calls: number; nameOf: (key: string) => string | undefined },
): Promise<Findings> {
  const documents = await asker.ask([
    { $match: { $and: matching } },
    { $project: { created_dt: 1, [field]: 1 } },
    { $unwind: `$${field}` },
    { $group: { _id: `$${field}`, calls: { $sum: 1 }, examples: EXAMPLES } },
    { $sort: { calls: -1, _id: 1 } },
    { $limit: MOST },
  ])
  return readDocuments(ofAll, documents).map(({ _id: key, calls, examples }) => ({
    key,
    display_name: nameOf(key) ?? key,
    calls,
    share: calls / total,
    example_session_ids: examples,
  }))
}

/** What the calls that meet the conditions show most, whoever took them. @param calls how many they are */
export async function findingsIn(asker: Asker, matching: readonly object[], calls: number) {
  if (calls === 0) return { signals: [], guidance: [] }
  const { signals: signalCatalog, guidance: guidanceCatalog } = asker.catalogs
  const [signals, guidance] = await Promise.all([
    commonestIn(asker, matching, {
      field: 'present_signals',
      calls,
      nameOf: key => signalCatalog.get(key)?.display_name,
    }),
    commonestIn(asker, matching, {
      field: 'guidance_keys',
      calls,
      nameOf: key => guidanceCatalog.get(key)?.display_name,
    }),
  ])
  return { signals, guidance }
}

/** What the calls of some agents show most. */
export async function agentFindings(asker: Asker, window: Window, agents: readonly AgentRow[]) {
  const { signals: signalCatalog, guidance: guidanceCatalog } = asker.catalogs
  const [signals, guidance] = await Promise.all([
    commonest(asker, window, agents, 'present_signals', key => signalCatalog.get(key)?.display_name),
    commonest(asker, window, agents, 'guidance_keys', key => guidanceCatalog.get(key)?.display_name),
  ])
  return { signals, guidance }
}
