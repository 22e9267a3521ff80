import { textOption } from '../text-option.js'
import { UsageError } from '../usage-error.js'

/** What can be said about a task on the command line. */
export const taskFieldsOptions = {
  name: textOption('Label, 1 to 120 characters'),
  schedule: textOption('Cron expression, such as "0 6 * * 1" or @daily'),
  'time-zone': textOption('Time zone of the schedule (default: the project’s)'),
  parameter: {
    type: 'array',
    string: true,
    requiresArg: true,
    description: 'Parameter of the kind, as name=value; repeatable',
  },
} as const

/** Parameters as they were written: what reads as JSON is that, all else is text. */
export function parametersOf(written: readonly string[] | undefined): Record<string, unknown> | undefined {
  if (written === undefined) return undefined
  const entries = written.map(one => {
    const at = one.indexOf('=')
    if (at < 1) throw new UsageError(`--parameter takes name=value, not ${JSON.stringify(one)}`)
    return [one.slice(0, at), valueOf(one.slice(at + 1))] as const
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--parameter ${twice} was given more than once`)
  return Object.fromEntries(entries)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
