import type { CallRecord } from '../calls/call-record.js'
import type { Fault } from './piece.js'

/**
 * What a schema can't say of single fields: turns are numbered by their position, since evidence points at them and
 * transcripts are paged by it; nothing ends before it starts; a range runs upwards.
 */
export function consistencyFaults(record: CallRecord): [Fault, ...Fault[]] | undefined {
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
  for (const [index, { range }] of (record.scores ?? []).entries()) {
    if (range?.[0] !== undefined && range[1] !== undefined && range[0] > range[1]) {
      return [{ path: `scores[${index}].range`, message: 'must run from the lowest value to the highest' }]
    }
  }
  return undefined
}
