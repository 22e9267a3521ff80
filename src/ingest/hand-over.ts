import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { PlacedRecord, PrepareResult } from './prepare-pieces.js'
import { isReusable } from './text-pack.js'

/** Numbers of a record: of its file, its line, which memory its JSON lies in, where it begins there, its bytes. */
const NUMBERS = 5

type More = Pick<PlacedRecord, 'agent_id' | 'placed' | 'evaluated' | 'warnings'>

/**
 * A result on its way from thread to thread: lists of its records' parts. As objects, each with a view of memory, handing
 * records over took longer than looking at some.
 */
export interface HandedResult extends Omit<PrepareResult, 'records'> {
  readonly ids: readonly string[]
  readonly agentNames: readonly string[]
  /** Names of files; records next to each other are mostly of one. */
  readonly files: readonly string[]
  readonly numbers: Float64Array
  /** Of records, by their position, what most have nothing of. */
  readonly more: readonly (readonly [number, More])[]
}

export function handOver({ records, ...result }: PrepareResult): HandedResult {
  const numbers = new Float64Array(records.length * NUMBERS)
  const files: string[] = []
  const more: [number, More][] = []
  const memories = new Map<ArrayBufferLike, number>(result.memory.map((memory, index) => [memory, index]))
  for (const [index, record] of records.entries()) {
    const { json, file, line, agent_id, placed, evaluated, warnings } = record
    if (file !== files.at(-1)) files.push(file)
    numbers.set([files.length - 1, line, memories.get(json.buffer)!, json.byteOffset, json.byteLength], index * NUMBERS)
    if (agent_id !== undefined || placed !== undefined || evaluated !== undefined || warnings !== undefined) {
      more.push([
        index,
        {
          agent_id,
          ...(placed && { placed }),
          ...(evaluated !== undefined && { evaluated }),
          ...(warnings && { warnings }),
        },
      ])
    }
  }
  return {
    ...result,
    ids: records.map(({ session_id }) => session_id),
    agentNames: records.map(({ agent_name }) => agent_name),
    files,
    numbers,
    more,
  }
}

/** What a thread gives back: the JSON it prepared is shared or changes hands, and is not copied. */
export function handedOver(result: PrepareResult): ReturnType<typeof move> {
  const moves = result.memory.filter(one => !isReusable(one))
  return move({ [transferableSymbol]: moves, [valueSymbol]: handOver(result) })
}

export function takeOver({ ids, agentNames, files, numbers, more, ...result }: HandedResult): PrepareResult {
  const rest = new Map(more)
  const records = ids.map((session_id, index): PlacedRecord => {
    const at = index * NUMBERS
    return {
      session_id,
      agent_id: undefined,
      agent_name: agentNames[index]!,
      json: new Uint8Array(result.memory[numbers[at + 2]!]!, numbers[at + 3], numbers[at + 4]),
      file: files[numbers[at]!]!,
      line: numbers[at + 1]!,
      ...rest.get(index),
    }
  })
  return { ...result, records }
}
