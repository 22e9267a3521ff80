import { z } from 'zod'
import { meantName } from './closest.js'
import { issueSentence, listed, type RawIssue } from './issue-sentence.js'
import { Problem, type ProblemDetail } from './problem.js'
import { echo } from './text.js'

/** Most faults that one answer lists; of these, the first few are in its sentence. */
const MOST_DETAILS = 20
const MOST_IN_SENTENCE = 3
/** Longest path of a detail, in UTF-16 units: names in it may be the caller's own. */
const PATH_LENGTH = 200

interface Fault {
  readonly path: string
  /** A whole sentence, without the full stop. */
  readonly sentence: string
}

/**
 * Checks a value against a schema, at a boundary.
 *
 * @param what what one entry of the input is called, in the singular: 'argument', 'field', 'parameter'
 * @returns the value as the schema gives it back (defaults filled in, texts normalised)
 * @throws Problem `invalid_input`; its message alone says which entry is wrong, how, and what would be right, since
 *   tools send nothing else; its details hold one entry per fault (20 at most).
 *
 * A schema's own messages are ends of sentences that begin with the entry's name: `must name a time zone`.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  // An unknown name is reported with those accepted: only the schema that raised the issue knows them, and only the
  // error map sees that schema. The issue's own list of keys is what both sides share.
  const accepted = new Map<readonly string[], readonly string[]>()
  const error = (issue: RawIssue): string => {
    if (issue.code === 'unrecognized_keys') accepted.set(issue.keys, namesOf(issue.schema))
    return issueSentence(issue)
  }
  const parsed = schema.safeParse(value, { error })
  if (parsed.success) return parsed.data
  const faults = distinct(parsed.error.issues.flatMap(issue => faultsOf(issue, what, accepted)))
  throw new Problem('invalid_input', sentenceOf(faults), { details: detailsOf(faults) })
}

function namesOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function faultsOf(
  issue: z.core.$ZodIssue,
  what: string,
  accepted: ReadonlyMap<readonly string[], readonly string[]>,
  parent: readonly PropertyKey[] = [],
): readonly Fault[] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const names = accepted.get(issue.keys) ?? []
    const unknown = issue.keys.slice(0, MOST_DETAILS).map(key => unknownName(key, path, what, names))
    return unknown.map((fault, index) => (index === 0 ? withNames(fault, names) : fault))
  }
  if (issue.code === 'invalid_union') {
    // A branch that matched as far as some inner value is the one that was meant: its faults say more.
    const meant = issue.errors.find(branch => branch.length > 0 && branch.every(inner => isInner(inner)))
    if (meant !== undefined) return meant.flatMap(inner => faultsOf(inner, what, accepted, path))
  }
  return [{ path: pathText(path), sentence: `${subject(path, what)} ${issue.message}` }]
}

function isInner(issue: z.core.$ZodIssue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys'
}

function unknownName(key: string, path: readonly PropertyKey[], what: string, names: readonly string[]): Fault {
  const place = path.length === 0 ? '' : ` in ${echo(pathText(path))}`
  const meant = meantName(key, names)
  const hint = meant === undefined ? '' : `, did you mean ${echo(meant)}?`
  return { path: pathText([...path, key]), sentence: `unknown ${what} ${echo(key)}${place}${hint}` }
}

/** The accepted names, said once even when several unknown ones were written. */
function withNames(fault: Fault, names: readonly string[]): Fault {
  const accepted = names.length === 0 ? 'none is accepted' : `accepted: ${listed(names)}`
  return { ...fault, sentence: `${fault.sentence} (${accepted})` }
}

function subject(path: readonly PropertyKey[], what: string): string {
  return path.length === 0 ? 'the input' : `${what} ${echo(pathText(path))}`
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, PATH_LENGTH).toWellFormed()
}

/** The first fault of each place: a value of the wrong kind needn't be told that it is also too short. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const places = new Set<string>()
  return faults.filter(({ path }) => !places.has(path) && places.add(path))
}

function sentenceOf(faults: readonly Fault[]): string {
  const said = faults.slice(0, MOST_IN_SENTENCE).map(({ sentence }) => sentence)
  const rest = faults.length - said.length
  return capital(said.join('; ')) + (rest > 0 ? `; and ${rest} more` : '')
}

function detailsOf(faults: readonly Fault[]): readonly ProblemDetail[] {
  return faults.slice(0, MOST_DETAILS).map(({ path, sentence }) => ({ path, message: capital(sentence) }))
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
