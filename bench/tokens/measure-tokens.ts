import type { Client } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** A tool, what it is asked, and how that is called in the table. */
interface Asked {
  readonly tool: string
  readonly question: string
  readonly args: Readonly<Record<string, unknown>>
  /** The question that stands for its tool among the twelve. */
  readonly typical?: true
}

/** What an answer costs a model that reads it. */
export interface Cost extends Asked {
  /** Of the answer as JSON text; links to transcripts, which clients show or drop, are not counted. */
  readonly tokens: number
  readonly answer: Readonly<Record<string, unknown>>
}

/** Sessions and an agent of the demo, newest first. */
interface Subjects {
  readonly sessions: readonly string[]
  readonly agent: string
}

/** The twelve tools as they are first asked, and what is asked of them next. */
function questionsOf({ sessions: [a, b], agent }: Subjects): readonly Asked[] {
  const byAgent = [{ $group: { _id: '$agent_name', calls: { $sum: 1 }, score: { $avg: '$score' } } }]
  return [
    { tool: 'get_project_context', question: 'as it is', args: {}, typical: true },
    { tool: 'search_calls', question: 'the newest ten', args: {}, typical: true },
    { tool: 'search_calls', question: 'the worst fifty', args: { sort: 'score_asc', limit: 50 } },
    { tool: 'get_call_detail', question: 'with its transcript', args: { session_id: a }, typical: true },
    { tool: 'get_call_detail', question: 'without', args: { session_id: a, include_transcript: false } },
    { tool: 'compare_calls', question: 'two calls', args: { session_id_a: a, session_id_b: b }, typical: true },
    { tool: 'get_project_summary', question: 'all time', args: {}, typical: true },
    { tool: 'get_agent_performance', question: 'all time', args: {}, typical: true },
    { tool: 'get_agent_performance', question: 'include_signals', args: { include_signals: true } },
    { tool: 'get_agent_performance', question: 'one agent', args: { agent_name: agent, include_signals: true } },
    { tool: 'query_interactions', question: 'mean score by agent', args: { pipeline: byAgent }, typical: true },
    { tool: 'detect_changes', question: 'last 28 days', args: { period: 'last 28 days' }, typical: true },
    { tool: 'get_signals', question: 'the whole catalog', args: {}, typical: true },
    { tool: 'search_guidance', question: 'the first 25', args: {}, typical: true },
    { tool: 'query_knowledge_base', question: 'two words', args: { query: 'refund late' }, typical: true },
    { tool: 'query_user_activity', question: 'summary', args: { query_type: 'summary' }, typical: true },
  ]
}

/** Asks a service everything, and counts. */
export async function measureTokens(client: Client) {
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { content, structuredContent = {} } = await client.callTool({ name: tool, arguments: { ...args } })
    const [first] = content
    if (first?.type !== 'text') throw new Error(`${tool} answered without a text`)
    return { text: first.text, answer: structuredContent as Readonly<Record<string, unknown>> }
  }
  const { calls } = (await ask('search_calls', { limit: 2 })).answer as {
    readonly calls: readonly { readonly session_id: string; readonly agent_name: string }[]
  }
  const subjects = { sessions: calls.map(call => call.session_id), agent: calls[0]!.agent_name }
  const costs: Cost[] = []
  for (const asked of questionsOf(subjects)) {
    const { text, answer } = await ask(asked.tool, asked.args)
    costs.push({ ...asked, tokens: countTokens(text), answer })
  }
  const { tools } = await client.listTools()
  const read = tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }))
  return { costs, definitions: countTokens(JSON.stringify(read)), withAnswers: countTokens(JSON.stringify(tools)) }
}

/** The middle one of the twelve tools' typical answers: half of them are no longer. */
export function medianTokens(costs: readonly Cost[]): number {
  const sorted = costs.filter(({ typical }) => typical === true).map(({ tokens }) => tokens)
  return sorted.toSorted((a, b) => a - b)[Math.ceil(sorted.length / 2) - 1] ?? 0
}
