import { z } from 'zod'
import { openObject } from '../base/open-object.js'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import { timeZone } from '../base/time-zone.js'
import { taskKinds } from './known-kind.js'

const name = label(120).meta({ description: 'Label, 1 to 120 characters' })
const cron = printable(100).meta({
  description:
    'Cron expression such as 0 6 * * 1 (minute, hour, day of the month, month, day of the week), one with seconds ahead, or a word such as @daily',
})
/** When a task is due. */
export const taskSchedule = z.strictObject({
  cron,
  time_zone: timeZone.optional().meta({ description: "Time zone of the schedule; the project's when absent" }),
})
const schedule = z
  .union([cron, taskSchedule], { error: 'must be a cron expression, or an object {cron, time_zone}' })
  .transform(given => (typeof given === 'string' ? { cron: given, time_zone: undefined } : given))
const parameters = openObject.meta({ ...openObject.meta(), description: 'As the kind takes them' })
const enabled = z.boolean().meta({ description: 'Whether it runs by its schedule' })

/** What a new task is made of. */
export const newTask = z.strictObject({
  name: name.optional().meta({ description: 'Label, 1 to 120 characters; the kind when absent' }),
  kind: z
    .string()
    .max(100)
    .meta({ description: `What it does: ${taskKinds.map(kind => kind.name).join(', ')}` }),
  schedule,
  parameters: parameters.default({}),
  enabled: enabled.default(true),
})
export type NewTask = z.output<typeof newTask>

/** What can change in a task; its kind can't. Parameters are replaced as a whole. */
export const taskPatch = z.strictObject({
  name: name.optional(),
  schedule: schedule.optional(),
  parameters: parameters.optional(),
  enabled: enabled.optional(),
})
export type TaskPatch = z.output<typeof taskPatch>
