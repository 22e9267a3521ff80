import { echo } from '../base/text.js'
import type { CheckedParts } from './as-is/checked-parts.js'
import type { Fault } from './piece.js'

/**
 * What a schema can't say of single fields: turns are numbered by their position, since evidence points at them and
 * transcripts are paged by it; nothing ends before it starts; a range runs upwards and holds its value; a signal is in one
 * state.
 */
export function consistencyFaults(record: CheckedParts): [Fault, ...Fault[]] | undefined {
  const turns = record.transcript ?? []
  for (let index = 0; index < turns.length; index += 1) {
    const turn = turns[index]!
    if (turn.turn !== index) {
      const message = `must be ${index}: turns are numbered by their position, from 0`
      return [{ path: `transcript[${index}].turn`, message }]
    }
    if (turn.start_s !== undefined && turn.end_s !== undefined && turn.end_s < turn.start_s) {
      return [{ path: `transcript[${index}].end_s`, message: 'must not be before start_s' }]
    }
  }
  for (const [index, { range, value }] of (record.scores ?? []).entries()) {
    const [low, high] = range ?? []
    if (low === undefined || high === undefined) continue
    if (low > high)
      return [{ path: `scores[${index}].range`, message: 'must run from the lowest value to the highest' }]
    if (value !== undefined && (value < low || value > high)) {
      return [{ path: `scores[${index}].value`, message: 'must lie within its range' }]
    }
  }
  return twoStates(record)
}

function twoStates({ signals = [] }: CheckedParts): [Fault] | undefined {
  // Mostly each is there once.
  if (new Set(signals.map(({ key }) => key)).size === signals.length) return undefined
  const states = new Map<string, { readonly state: string; readonly index: number }>()
  for (const [index, { key, state }] of signals.entries()) {
    const earlier = states.get(key)
    if (earlier !== undefined && earlier.state !== state) {
      const message = `must be ${echo(earlier.state)} as in signals[${earlier.index}]: a signal has one state in a call`
      return [{ path: `signals[${index}].state`, message }]
    }
    states.set(key, { state, index })
  }
  return undefined
}
