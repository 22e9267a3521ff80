import { UsageError } from './usage-error.js'

const REPEATABLE = new Set([
  '_',
  'agent',
  'agent-speaker',
  'agentSpeaker',
  'file',
  'map',
  'parameter',
  'role',
  'vertical',
])

/** Refuses an option given twice that takes one value: yargs makes a list of it, which no command expects. */
export function refuseRepeated(args: Readonly<Record<string, unknown>>): true {
  const repeated = Object.entries(args).find(([name, value]) => Array.isArray(value) && !REPEATABLE.has(name))
  if (repeated !== undefined) throw new UsageError(`--${repeated[0]} was given more than once`)
  return true
}
