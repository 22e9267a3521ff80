import { HeldBytes } from '../../held-bytes.js'
import { InputFault } from '../../input-fault.js'
import type { InputFile } from '../../input-file.js'
import type { Piece, Reject } from '../../piece.js'
import { recordTooLong } from '../../record-too-long.js'
import { SeenIds } from '../../seen-ids.js'
import type { CutLimits } from '../format.js'
import { NOT_UTF8 } from './read-rows.js'
import { RowScanner } from './row-scanner.js'

interface CsvCut {
  readonly delimiter: string
  /** Column by whose value rows belong together, from 0; undefined: each row is a record. */
  readonly groupBy: number | undefined
  /** Column by which a row belongs where that one is empty. */
  readonly groupByElse: number | undefined
  /** Bytes at the beginning that are no rows, and the lines they take. */
  readonly headerBytes: Buffer
  readonly headerLines: number
}

const NOT_CLOSED = 'begins a quoted text that is not closed: the file was cut off, or a quote is missing'
const APART =
  'is the first of further rows of a call whose rows came before, and they are left out: rows of one call must follow each other, so sort the file'

/**
 * Cuts a table into pieces of whole rows, with the header as companion; rows of one call stay together. Quotes are
 * followed, fields are not parsed. Holds the rows of one call and one piece at most.
 */
export async function* cutCsv(file: InputFile, limits: CutLimits, cut: CsvCut): AsyncGenerator<Piece | Reject> {
  const scanner = new RowScanner(cut.delimiter, cut.groupBy, cut.groupByElse)
  const seen = new SeenIds()
  const row = new HeldBytes()
  let batch: Buffer[] = []
  let batchBytes = 0
  let batchLine = 0
  let group: Buffer[] = []
  let groupBytes = 0
  let groupLine = 0
  let groupLines = 0
  let groupKey: string | undefined
  let dropped = false
  let line = 1 + cut.headerLines
  let skip = cut.headerBytes.length

  const reject = (at: number, message: string): Reject => ({ file: file.name, line: at, path: '', message })
  const take = (): Piece => {
    const held = new HeldBytes()
    for (const part of batch) held.add(part)
    const records = batch.length
    batch = []
    batchBytes = 0
    const companion = Buffer.allocUnsafeSlow(cut.headerBytes.length)
    cut.headerBytes.copy(companion)
    const about = { file: file.name, line: batchLine, kind: 'lines', at: '' } as const
    return { ...about, bytes: held.take(), companion, unended: false, records }
  }
  /** Moves the rows of the call that is whole into the batch. */
  const endGroup = (): void => {
    if (group.length > 0) {
      if (batch.length === 0) batchLine = groupLine
      batch.push(...group)
      batchBytes += groupBytes
    }
    group = []
    groupBytes = 0
  }

  try {
    for await (const chunk of file.chunks) {
      // The first chunk holds all of what the header was read from.
      if (skip === cut.headerBytes.length && !chunk.subarray(0, skip).equals(cut.headerBytes)) {
        yield reject(1, NOT_UTF8)
        return
      }
      const part = skip > 0 ? chunk.subarray(skip) : chunk
      skip = Math.max(0, skip - chunk.length)
      let from = 0
      for (const { end, bytes, lines, key } of scanner.push(part)) {
        row.add(part.subarray(from, end))
        from = end
        // An empty row belongs to the rows around it.
        const isNext = cut.groupBy === undefined || (key !== undefined && key !== groupKey)
        if (isNext) {
          endGroup()
          if (batchBytes >= limits.pieceBytes || batch.length >= limits.pieceRecords) yield take()
          groupKey = key
          groupLine = line
          groupLines = 0
          dropped = false
          if (cut.groupBy !== undefined && key !== undefined && key !== '' && seen.meet(key)) {
            dropped = true
            yield reject(line, APART)
          }
        }
        groupLines += lines
        groupBytes += bytes
        if (!dropped && groupBytes > limits.recordBytes) {
          dropped = true
          yield reject(groupLine, recordTooLong(limits))
        }
        if (dropped) {
          group = []
          groupBytes = 0
          row.clear()
        } else group.push(row.take())
        // A piece is read with its first line only: where rows were dropped before, a new one begins.
        if (dropped && batch.length > 0) yield take()
        line += lines
      }
      if (scanner.rowBytes <= limits.recordBytes) row.add(part.subarray(from))
      else row.clear()
    }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield reject(line, error.message)
    return
  }
  const rest = scanner.end()
  if (rest === 'in quotes') {
    endGroup()
    if (batch.length > 0) yield take()
    yield reject(line, NOT_CLOSED)
    return
  }
  if (row.length > 0) group.push(row.take())
  endGroup()
  if (batch.length > 0) yield take()
}
