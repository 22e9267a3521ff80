import { readFileSync } from 'node:fs'
import type { CallRecord } from '../../src/calls/call-record.js'

/** A single sentence in the call it is said in, with what it has to be heard as. */
export interface LabelledSentence {
  readonly id: string
  /** A reason, `null` for none, or `+`, `-`, `?` and the name of a signal. */
  readonly what: string
  readonly line: string
  /** By the signal's key, or `driver`. */
  readonly labels: Readonly<Record<string, string | null>>
  readonly call: CallRecord
}

type Place = (line: string) => readonly string[]

/** Calls in which a line is said where its signal is looked for. */
const answer: Place = line => ['a: Hello.', 'c: My internet is not working.', `a: ${line}`]
const opening: Place = line => ['a: Hello.', `c: ${line}`, 'a: Okay.']
const greeting: Place = line => [`a: ${line}`, 'c: Hello.', 'a: Okay.']
const PLACES: Readonly<Record<string, Place>> = {
  agent_named: greeting,
  brand_named: greeting,
  identity_verified: line => [...answer(line), 'c: Right.'],
  willingness_shown: line => ['a: Hello.', 'c: I want to check my balance.', `a: ${line}`],
  repeat_requested: answer,
  empathy_shown: answer,
  agent_rude: answer,
  resolution_stated: answer,
  next_step_given: answer,
  customer_confirms: line => [
    'a: Hello.',
    'c: My internet is not working.',
    'a: I have reset the line, it is done.',
    `c: ${line}`,
  ],
  hold_requested: answer,
  closing_courtesy: answer,
  compliance_disclosure: answer,
  further_help_offered: answer,
  callback_promised: answer,
  escalation: opening,
  repeat_contact: opening,
  competitor_mentioned: opening,
  cancel_intent: opening,
  customer_frustrated: opening,
}
/** Turns with their speakers, behind slashes, in a call in which nothing else is said. */
const withSpeakers: Place = line => {
  const turns = line.split(' / ')
  return ['a: Hello.', 'c: Hi there.', ...turns, turns.at(-1)?.startsWith('a') ? 'c: Okay.' : 'a: Okay.']
}
const STATES: Readonly<Record<string, string>> = { '+': 'present', '-': 'absent', '?': 'unclear' }

/** What is said around a sentence of another language: each line of the places above in it. */
export interface Around {
  readonly language: string
  readonly lines: Readonly<Record<string, string>>
}

/** Reads a file of groups that begin with `@` and what their lines have to be heard as. */
export function readSentences(file: string, around?: Around): readonly LabelledSentence[] {
  return readFileSync(file, 'utf8')
    .split('\n\n@ ')
    .slice(1)
    .flatMap(group => {
      const [what = '', ...lines] = group.trim().split('\n')
      const state = STATES[what.charAt(0)]
      const name = what.slice(1)
      const labels = state === undefined ? { driver: what === 'null' ? null : what } : { [`sig.${name}`]: state }
      const place = (state === undefined ? undefined : PLACES[name]) ?? opening
      return lines.map(line => {
        const turns = /^[ac]: /.test(line) ? withSpeakers(line) : placed(place, line, around)
        return { id: `${what}: ${line}`, what, line, labels, call: callOf(turns, around?.language) }
      })
    })
}

/** The turns around a sentence, in its language. */
function placed(place: Place, line: string, around: Around | undefined): readonly string[] {
  if (around === undefined) return place(line)
  return place(line).map(turn => {
    const said = turn.slice('a: '.length)
    return said === line ? turn : `${turn.slice(0, 'a: '.length)}${around.lines[said] ?? said}`
  })
}

/** Turns follow each other by half a second at 15 characters a second. */
function callOf(lines: readonly string[], language?: string): CallRecord {
  let clock = 1
  const transcript = lines.map((line, turn) => {
    const text = line.slice('a: '.length)
    const start = clock
    const end = start + 0.5 + text.length / 15
    clock = end + 0.5
    return { turn, actor: line.startsWith('a') ? 'agent' : 'customer', text, start_s: start, end_s: end } as const
  })
  return {
    session_id: 's1',
    agent_name: 'Ana Ruiz',
    created_dt: '2026-03-01T12:00:00.000Z',
    ...(language !== undefined && { language_primary: language }),
    transcript,
  }
}
