import type { z } from 'zod'
import type { explanation } from '../../src/operations/explain-answer.js'
import type { importAnswer } from '../../src/operations/import-answer.js'
import { send } from './ask.js'

/** What an import says of a file, as POST /api/v1/transcripts answers. */
export type Imported = z.output<typeof importAnswer>

/** What a file is taken for, and what it lacks. */
export type Explained = z.output<typeof explanation>

export interface ImportOptions {
  /** Only what would be is told. */
  readonly isDryRun: boolean
  /** For files that do not say who the agent was, or when the call began. */
  readonly agentName: string
  readonly createdAt: string
  readonly timeZone: string
  /** Where fields come from, each as FIELD=SOURCE. */
  readonly maps: readonly string[]
}

/** Imports a file in whatever format it is in, by its content. @throws Refusal, Unreachable */
export async function importFile(
  file: File,
  path: string,
  { isDryRun, agentName, createdAt, timeZone, maps }: ImportOptions,
): Promise<Imported> {
  const query = new URLSearchParams({ name: path, time_zone: timeZone, dry_run: String(isDryRun) })
  if (agentName !== '') query.set('agent_name', agentName)
  if (createdAt !== '') query.set('created_dt', createdAt)
  for (const map of maps) query.append('map', map)
  const response = await send(`/api/v1/transcripts?${query.toString()}`, { method: 'POST', upload: file })
  return (await response.json()) as Imported
}

/** Says what a file is; nothing is written. @throws Refusal, Unreachable */
export async function explainFile(file: File, path: string, maps: readonly string[]): Promise<Explained> {
  const query = new URLSearchParams({ name: path })
  for (const map of maps) query.append('map', map)
  const response = await send(`/api/v1/transcripts/explain?${query.toString()}`, { method: 'POST', upload: file })
  return (await response.json()) as Explained
}
