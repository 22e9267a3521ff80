import { isUtf8 } from 'node:buffer'
import { InputFault } from '../../input-fault.js'
import type { InputFile } from '../../input-file.js'
import type { Piece, RawRecord, Reject } from '../../piece.js'
import type { Reading } from '../../reading.js'
import { wholeFile } from '../../whole-file.js'
import { conversationOf } from '../conversation/conversation-of.js'
import { recordOfCall } from '../documents/document-format.js'
import type { CutLimits, Format } from '../format.js'
import { missing } from '../missing.js'
import { CueFault } from './cue.js'
import { parseCues } from './parse-cues.js'
import { speechesOfCues } from './speeches-of-cues.js'

/** A format of subtitles: a file is a call, its place the id. */
export function subtitleFormat(definition: Pick<Format, 'name' | 'title' | 'recognises'>): Format {
  return { ...definition, missing, cut: cutWhole, read: readCall }
}

async function* cutWhole(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  try {
    const bytes = await wholeFile(file.chunks, limits)
    yield { file: file.name, line: 1, kind: 'value', at: '', bytes, unended: false }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield { file: file.name, line: 1, path: '', message: error.message }
  }
}

function* readCall({ bytes }: Piece, { agentSpeakers }: Reading): Generator<RawRecord> {
  const fault = (line: number, message: string): RawRecord => ({ line, at: '', fault: { path: '', message } })
  if (!isUtf8(bytes)) {
    yield fault(1, 'holds bytes that are not UTF-8')
    return
  }
  try {
    const cues = parseCues(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    const made = conversationOf(speechesOfCues(cues), agentSpeakers)
    if ('fault' in made) {
      yield fault(1, made.fault)
      return
    }
    yield {
      line: 1,
      at: '',
      value: recordOfCall({ fields: { channel: 'phone' }, metadata: {} }, made.conversation),
      document: {},
      alone: true,
    }
  } catch (error) {
    if (!(error instanceof CueFault)) throw error
    yield fault(error.line, error.message)
  }
}
