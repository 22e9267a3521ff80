import { z } from 'zod'

const state = z.enum(['running', 'ok', 'failed', 'interrupted']).meta({
  description: 'interrupted: cut off by the end of the process or by its stop; such a run is repeated',
})

/** A task as reads answer with it (see TaskView). */
export const taskAnswer = z.strictObject({
  task_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  kind: z.string(),
  schedule: z.strictObject({
    cron: z.string(),
    time_zone: z.string().meta({ description: 'IANA name of the zone the expression is read in' }),
  }),
  parameters: z.record(z.string(), z.unknown()).meta({ description: 'As the kind takes them, with defaults' }),
  enabled: z.boolean(),
  created_at: z.string(),
  created_by: z.string(),
  last_run: z.string().optional().meta({ description: 'When the last run began' }),
  last_state: state.optional(),
  next_run: z.string().optional().meta({ description: 'When it is due; absent while it is disabled' }),
})

const nextRuns = z.array(z.string()).meta({ description: 'The next five times of the schedule' })

/** A task with the times it is due. */
export const detailedTaskAnswer = taskAnswer.extend({ next_runs: nextRuns })

/** What a task would be: nothing was kept. */
export const checkedTaskAnswer = taskAnswer
  .pick({ kind: true, schedule: true, parameters: true })
  .extend({ next_runs: nextRuns })

/** A run of a task (see TaskRunView). */
export const taskRunAnswer = z.strictObject({
  run_id: z.string(),
  task_id: z.string(),
  trigger: z.enum(['schedule', 'missed', 'repeat', 'manual']).meta({
    description:
      'Why it began: its time had come; its time had passed while nothing ran; the run before was cut off; somebody asked',
  }),
  state,
  started_at: z.string(),
  ended_at: z.string().optional(),
  duration_ms: z.int().optional(),
  summary: z.string().optional().meta({ description: 'What came of it' }),
  error: z.string().optional().meta({ description: 'Why it failed or was cut off' }),
  result: z.record(z.string(), z.unknown()).optional().meta({ description: 'Counts, and names of files written' }),
})
