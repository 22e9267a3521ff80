import type { CallRecord } from '../../calls/call-record.js'
import { backchannelsIn } from './backchannels.js'
import type { CompiledRubric } from './compile-rubric.js'
import type { EvaluationTime } from './evaluation-time.js'
import { findDriver } from './find-driver.js'
import { hearCall, type HeardCall } from './heard-call.js'
import { languageNamed } from './languages/languages.js'
import { languageOf, type LanguageFound } from './language-of.js'
import type { Reading, SignalState } from './reading.js'
import { timingOf } from './timing.js'

/** A call made ready for its signals to be looked for. */
export interface CallRead {
  readonly call: CallRecord
  readonly reading: Reading
  readonly language: LanguageFound
  /** The states that `reading` looks up; empty as yet. */
  readonly states: Map<string, SignalState>
}

/** Why a call that says nothing has no evaluation. */
export const NO_TRANSCRIPT = 'The call has no transcript'

export function isWithoutTranscript({ transcript }: CallRecord): boolean {
  return transcript === undefined || transcript.length === 0
}

/** Hears a call, by its words and by the clock; or says, in a sentence, why there is nothing to evaluate. */
export function readCall(call: CallRecord, compiled: CompiledRubric, time?: EvaluationTime): CallRead | string {
  const told = tellLanguage(call, compiled)
  return typeof told === 'string' ? told : readHeard(call, compiled, told, time)
}

/** A call cut into words, and what language they are in. */
interface LanguageTold {
  readonly heard: HeardCall
  readonly language: LanguageFound
}

/** Hears in which language a call is, for a rubric's own; or says, in a sentence, why there is nothing to evaluate. */
export function tellLanguage(call: CallRecord, { rubric }: CompiledRubric): LanguageTold | string {
  if (isWithoutTranscript(call)) return NO_TRANSCRIPT
  const heard = hearCall(call, languageNamed(rubric.language))
  if (heard.by.agent.length + heard.by.customer.length === 0) {
    return 'Nothing the agent or the customer said can be understood in the transcript'
  }
  return { heard, language: languageOf(call, heard) }
}

/** Reads what was heard. */
export function readHeard(
  call: CallRecord,
  compiled: CompiledRubric,
  { heard, language }: LanguageTold,
  time?: EvaluationTime,
): CallRead {
  const { vocabulary } = compiled
  const { readable } = language
  const said = vocabulary.read(heard, time)
  const written = call.channel !== undefined && call.channel !== 'phone'
  const backchannels = backchannelsIn(heard, compiled.backchannels === undefined ? [] : said[compiled.backchannels]!)
  const timing = written ? undefined : timingOf(call, heard, backchannels)
  const driver = findDriver(call, compiled, heard, said, readable)
  const states = new Map<string, SignalState>()
  return {
    call,
    reading: { heard, backchannels, timing, written, readable, said, driver, states, found: [] },
    language,
    states,
  }
}
