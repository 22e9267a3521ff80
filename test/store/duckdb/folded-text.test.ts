import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { foldedText } from '../../../src/base/text.js'

/** Blocks to which no letters came since the engine's tables were made: Latin to Arabic, Latin and Greek with accents, kana, Hangul. */
const BLOCKS = [
  [0x41, 0x0870],
  [0x1e_00, 0x1f_ff],
  [0x30_41, 0x30_ff],
  [0xac_00, 0xd7_a3],
] as const

it('is folded by the engine as what is looked for', async () => {
  const letters = BLOCKS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => `a${String.fromCodePoint(first + i)}b`),
  )
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const found = await connection.runAndReadAll(
    `select unnest(list_transform(from_json($1, '["VARCHAR"]'), lambda one: strip_accents(lower(one))))`,
    [JSON.stringify(letters)],
  )
  expect(found.getRowsJS().map(([text]) => text)).toEqual(letters.map(foldedText))
})
