import { describe, expect, it } from 'vitest'
import { handOver, takeOver } from '../../src/ingest/hand-over.js'
import { HeldBytes } from '../../src/ingest/held-bytes.js'
import { PieceMemory } from '../../src/ingest/piece-memory.js'
import type { PlacedRecord } from '../../src/ingest/prepare-pieces.js'
import { isReusable } from '../../src/ingest/text-pack.js'
import { noMasks } from '../../src/redact/mask.js'

/** Different bytes at every place. */
const bytesOf = (length: number, first: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7 + first) % 251))

describe('HeldBytes', () => {
  it.each([0, 1, 7, 8, 13])('takes what it gathered into shared memory, whole, wherever it stood (%i)', place => {
    const memory = new PieceMemory()
    const parts = [bytesOf(5, 1), bytesOf(90_000, 2).subarray(place), bytesOf(3, 3)]
    const held = new HeldBytes()
    // The second lies in memory that was used before.
    for (let time = 0; time < 2; time += 1) {
      for (const part of parts) held.add(part)
      const piece = held.take(memory)
      expect(Buffer.concat(parts).equals(piece)).toBe(true)
      expect(isReusable(piece.buffer)).toBe(true)
      memory.give([piece.buffer])
    }
  })

  it.each([100, 5_000_000])('takes %i bytes into memory of their own', length => {
    const held = new HeldBytes()
    held.add(bytesOf(length, 4))
    const piece = held.take(new PieceMemory())
    expect(bytesOf(length, 4).equals(piece)).toBe(true)
    expect(piece.buffer.byteLength).toBe(length)
    expect(isReusable(piece.buffer)).toBe(false)
  })
})

it('hands records over to another thread as they are', () => {
  const memory = [new SharedArrayBuffer(64), new ArrayBuffer(64)]
  const at = (one: number, start: number, length: number) => new Uint8Array(memory[one]!, start, length).fill(start)
  const some = { agent_id: undefined, agent_name: 'Ann', file: 'a.ndjson', line: 1 }
  const records: PlacedRecord[] = [
    { ...some, session_id: '1', json: at(0, 8, 3) },
    { ...some, session_id: '2', line: 2, json: at(1, 0, 9), agent_id: 'ann', evaluated: 'Because' },
    {
      ...some,
      session_id: '3',
      file: 'b.json',
      json: at(0, 20, 1),
      placed: { began: 7, bare: 'b' },
      warnings: ['future'],
    },
    { ...some, session_id: '4', line: 4, agent_name: 'Bo', json: at(0, 30, 2), evaluated: true },
  ]
  const result = { records, rejects: [], moreRejects: 1, removed: 2, masked: noMasks(), memory, unused: [] }
  const { records: found, ...rest } = takeOver(structuredClone(handOver(result)))
  expect(found.map(({ json, ...record }) => ({ ...record, json: [...json] }))).toEqual(
    records.map(({ json, ...record }) => ({ ...record, json: [...json] })),
  )
  expect(rest).toMatchObject({ moreRejects: 1, removed: 2 })
  expect(rest.memory).toHaveLength(2)
})
