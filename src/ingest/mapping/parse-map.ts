import { closest } from '../../base/closest.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { fileFacts, type MapRule, type MapSource } from './map-rule.js'
import { mapTargets, TURNS_TARGET } from './map-targets.js'

const OWN = 'session_metadata.'
const OWN_NAME = /^[^.[\]"=\s][^.[\]"=]{0,99}$/
/** A step of a path: `[3]`, `["any name"]`, or a name after a dot. */
const STEP = /\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|(^|\.)([^.[\]"=@?][^.[\]"=?]*)/y

/**
 * Reads a mapping, `TARGET=SOURCE`: where a field of the call record comes from; `TARGET?=SOURCE` where the source says
 * nothing of it.
 *
 * SOURCE is a path (`metadata.agent`, `calls[0].id`, `["first and last name"]`; with `?` at the end it may be missing),
 * a constant (`"Ann"`), or something of the file (`@file`, `@folder`, `@path`, `@file_time`).
 *
 * @throws Problem `invalid_input` that says what is wrong with it
 */
export function parseMap(written: string): MapRule {
  const equals = written.indexOf('=')
  if (equals === -1) throw fault(written, 'it has no "=": write FIELD=SOURCE, such as agent_name=metadata.agent')
  const left = written.slice(0, equals).trim()
  const otherwise = left.endsWith('?')
  const target = otherwise ? left.slice(0, -1).trimEnd() : left
  checkTarget(written, target)
  if (otherwise && isOfTurns(target)) throw fault(written, 'columns of turns are mapped without "?"')
  const source = sourceOf(written, written.slice(equals + 1).trim())
  if (target === TURNS_TARGET && source.from !== 'path') {
    throw fault(written, 'turns are a list in the source: write its path, such as turns=conversation.messages')
  }
  return { target, written, source, ...(otherwise && { otherwise }) }
}

/** Reads mappings; a field can be mapped once. @throws Problem `invalid_input` */
export function parseMaps(written: readonly string[]): readonly MapRule[] {
  const rules = written.map(parseMap)
  for (const [index, { target, written: text }] of rules.entries()) {
    if (rules.findIndex(rule => rule.target === target) < index) throw fault(text, `${echo(target)} is mapped twice`)
  }
  return rules
}

function fault(written: string, why: string): Problem {
  return new Problem('invalid_input', `The mapping ${echo(written)} can't be read: ${why}`)
}

/** Whether a mapping is of turns, which the format reads, and not of the record. */
export function isOfTurns(target: string): boolean {
  return target === TURNS_TARGET || target.startsWith('turn.')
}

function checkTarget(written: string, target: string): void {
  if (mapTargets.includes(target)) return
  if (target.startsWith(OWN) && OWN_NAME.test(target.slice(OWN.length))) return
  const near = closest(target, mapTargets)
  const hint = near === undefined ? '' : `; did you mean ${echo(near)}?`
  throw fault(
    written,
    `${echo(target)} is not a field of a call record${hint} (fields of your own: session_metadata.NAME)`,
  )
}

function sourceOf(written: string, source: string): MapSource {
  if (source === '') throw fault(written, 'nothing stands after "=": write a path, a "constant" or @file')
  if (source.startsWith('@')) {
    const what = fileFacts.find(fact => fact === source)
    if (what !== undefined) return { from: 'file', what }
    const near = closest(source, fileFacts)
    throw fault(
      written,
      `${echo(source)} is nothing of a file${near === undefined ? '' : `; did you mean ${near}?`} (known: ${fileFacts.join(', ')})`,
    )
  }
  if (source.startsWith('"')) {
    const value = unquoted(source)
    if (value === undefined) throw fault(written, 'a constant is a text in double quotes, such as "Ann"')
    return { from: 'constant', value }
  }
  const optional = source.endsWith('?')
  const steps = stepsOf(optional ? source.slice(0, -1) : source)
  if (steps !== undefined) return { from: 'path', steps, optional }
  throw fault(written, 'a path is written like metadata.agent, calls[0].id or ["first and last name"]')
}

function stepsOf(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = []
  let at = 0
  while (at < path.length) {
    STEP.lastIndex = at
    const found = STEP.exec(path)
    if (found === null) return undefined
    const [whole, index, quoted, dot, name] = found
    // A name follows a dot, but for the first; a dot begins no path.
    if (name !== undefined && (dot === '.') === (at === 0)) return undefined
    const step = index === undefined ? (name?.trim() ?? unquoted(quoted ?? '')) : Number(index)
    if (step === undefined) return undefined
    steps.push(step)
    at += whole.length
  }
  return steps.length === 0 ? undefined : steps
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
