import type { MapRule } from '../mapping/map-rule.js'
import { numberOf, valueAt } from '../mapping/apply-map.js'
import { TURNS_TARGET } from '../mapping/map-targets.js'
import type { RawRecord } from '../piece.js'
import type { Reading } from '../reading.js'
import { conversationOf } from './conversation/conversation-of.js'
import type { Speech } from './conversation/speech.js'
import { recordOfCall } from './documents/document-format.js'
import type { Format } from './format.js'
import { cutJsonRecords, readJsonRecords } from './json-records.js'
import { missing } from './missing.js'

const TEXT_TARGET = 'turn.text'
/** Most values of one document, as of the formats that are known. */
const MOST_VALUES = 1_000_000

/** A place in a document, or in each of its turns, as a mapping says. */
function stepsOf(mapping: readonly MapRule[], target: string): readonly (string | number)[] | undefined {
  const source = mapping.find(rule => rule.target === target)?.source
  return source?.from === 'path' ? source.steps : undefined
}

function speechesOf(turns: readonly unknown[], mapping: readonly MapRule[]): readonly Speech[] {
  const read = (turn: unknown, target: string): unknown => {
    const steps = stepsOf(mapping, target)
    return steps === undefined ? undefined : valueAt(turn, steps)
  }
  const seconds = (turn: unknown, side: 'start' | 'end'): number | undefined => {
    const whole = numberOf(read(turn, `turn.${side}_s`))
    if (typeof whole === 'number') return whole
    const ms = numberOf(read(turn, `turn.${side}_ms`))
    return typeof ms === 'number' ? ms / 1000 : undefined
  }
  return turns.map(turn => {
    const speaker = read(turn, 'turn.speaker')
    const text = read(turn, TEXT_TARGET)
    return {
      speaker: typeof speaker === 'string' || typeof speaker === 'number' ? String(speaker) : undefined,
      text: typeof text === 'string' ? text : '',
      start: seconds(turn, 'start'),
      end: seconds(turn, 'end'),
    }
  })
}

function* read(raw: RawRecord, { mapping, agentSpeakers }: Reading): Generator<RawRecord> {
  if ('fault' in raw) {
    yield raw
    return
  }
  const { line, at, value } = raw
  const turns = valueAt(value, stepsOf(mapping, TURNS_TARGET) ?? [])
  if (!Array.isArray(turns)) {
    yield { line, at, fault: { path: TURNS_TARGET, message: 'is no list in the source, at the place that is mapped' } }
    return
  }
  if (stepsOf(mapping, TEXT_TARGET) === undefined) {
    const message = `is not mapped: say where the text of a turn is, such as --map ${TEXT_TARGET}=text`
    yield { line, at, fault: { path: TEXT_TARGET, message } }
    return
  }
  const made = conversationOf(speechesOf(turns, mapping), agentSpeakers)
  if ('fault' in made) yield { line, at, fault: { path: '', message: made.fault } }
  else {
    const record = recordOfCall({ fields: {}, metadata: {} }, made.conversation)
    yield { line, at, value: record, document: value, alone: at === '' && line === 1 }
  }
}

/** JSON of any shape with a list of turns: mappings say where that is, and what is where in it. */
export const jsonTurns: Format = {
  name: 'json-turns',
  title: 'JSON of any other shape with a list of turns, by mappings',
  page: {
    recognised: 'a mapping of `turns`, such as `--map turns=conversation.messages`',
    documented: [],
    agent: 'the label at `turn.speaker`, else who greets first, or `--agent-speaker`',
    taken:
      '`turn.text`, `turn.speaker`, `turn.start_s` or `turn.start_ms`, `turn.end_s` or `turn.end_ms`, each a path within a turn; whatever else is mapped. `earshot import --explain FILE` writes the mappings',
    lost: 'what is not mapped',
  },
  missing,
  turnColumns: true,
  recognises: () => false,
  cut: cutJsonRecords,
  *read(piece, reading) {
    for (const raw of readJsonRecords(piece, MOST_VALUES)) yield* read(raw, reading)
  },
}
