import { isUtf8 } from 'node:buffer'
import { InputFault } from '../../input-fault.js'
import type { InputFile } from '../../input-file.js'
import type { Piece, RawRecord, Reject } from '../../piece.js'
import type { Reading } from '../../reading.js'
import { wholeFile } from '../../whole-file.js'
import { conversationOf } from '../conversation/conversation-of.js'
import type { CutLimits, Format, FormatPage } from '../format.js'
import { missing } from '../missing.js'
import { recordOfCall, type ToldCall } from './document-format.js'

/** A call of a file, or why there is none: the end of a sentence that begins with the file; and its line, 1 when absent. */
export type WholeTold = (ToldCall | { readonly fault: string }) & { readonly line?: number }

interface Definition {
  readonly name: string
  readonly title: string
  readonly page: FormatPage
  readonly recognises: Format['recognises']
  /** The calls of a file. */
  readonly tell: (bytes: Uint8Array, reading: Reading) => readonly WholeTold[] | Promise<readonly WholeTold[]>
}

/** A format of files that are read whole and hold a call, or several. A single one goes by the place of its file. */
export function wholeFormat({ name, title, page, recognises, tell }: Definition): Format {
  return {
    name,
    title,
    page,
    missing,
    recognises,
    cut: cutWhole,
    read: ({ bytes }, reading) => {
      const told = tell(bytes, reading)
      return told instanceof Promise ? told.then(calls => recordsOf(calls, reading)) : recordsOf(told, reading)
    },
  }
}

/** The whole file as one piece. */
export async function* cutWhole(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  try {
    const bytes = await wholeFile(file.chunks, limits)
    yield { file: file.name, line: 1, kind: 'value', at: '', bytes, unended: false }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield { file: file.name, line: 1, path: '', message: error.message }
  }
}

/** The text of a file, or why it has none. */
export function utf8Text(bytes: Uint8Array): { readonly text: string } | { readonly fault: string } {
  if (!isUtf8(bytes)) return { fault: 'holds bytes that are not UTF-8: save it as UTF-8' }
  return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') }
}

function* recordsOf(told: readonly WholeTold[], { agentSpeakers }: Reading): Generator<RawRecord> {
  for (const call of told) {
    const { line = 1 } = call
    if ('fault' in call) {
      yield { line, at: '', fault: { path: '', message: call.fault } }
      continue
    }
    const made = conversationOf(call.speeches, agentSpeakers, call.fields['channel'])
    if ('fault' in made) yield { line, at: '', fault: { path: '', message: made.fault } }
    else {
      const value = recordOfCall(call, made.conversation)
      yield { line, at: '', value, document: call.document ?? {}, alone: told.length === 1 }
    }
  }
}
