import { z } from 'zod'

/** A rubric as it was set for a project: an own one as its text, or a built-in one by name. */
export interface RubricRecord {
  readonly project_id: string
  /** 1 for the first that was set, and so on. */
  readonly version: number
  readonly text?: string
  readonly built_in?: string
  readonly set_at: string
  readonly set_by: string
}

/** One as its JSON. */
export const rubricRecord = z.strictObject({
  project_id: z.string(),
  version: z.int(),
  text: z.string().exactOptional(),
  built_in: z.string().exactOptional(),
  set_at: z.string(),
  set_by: z.string(),
}) satisfies z.ZodType<RubricRecord>

/** Keeps every version of the projects' rubrics. */
export interface RubricStore {
  /** Durable when it resolves. */
  add(rubric: RubricRecord): Promise<void>
  /** All versions of all projects, the oldest of each first. */
  all(): Promise<readonly RubricRecord[]>
}
