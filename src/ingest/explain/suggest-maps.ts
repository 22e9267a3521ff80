import type { Shape } from '../formats/shape/shape-of.js'
import { TURNS_TARGET } from '../mapping/map-targets.js'
import { isOfTurns } from '../mapping/parse-map.js'
import { toInstant } from '../mapping/to-instant.js'

/** A name that a path holds as it is; others would need quotes. */
const PLAIN_PATH = /^[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)*$/

/** Names that sources have for what a record needs, the likeliest first; compared in lower case without `_` and `-`. */
const IDS = [
  /^(?:call|session|conversation|contact|interaction|recording|ticket)id$/,
  /^(?:id|uuid|sid|guid|reference)$/,
]
const AGENTS = [
  /^(?:agent|advisor|representative|rep|operator|employee)(?:full|display)?name$/,
  /^(?:agent|advisor|representative|rep|operator)$/,
  /(?:agent|advisor|operator|rep)name$/,
  /^(?:username|user|owner|handledby|answeredby)$/,
]
const TIMES = [
  /^(?:call)?start(?:ed|time|date|timestamp|edat)*(?:utc)?$/,
  /^(?:begin|began|connected|answered)/,
  /^(?:created|timestamp|datetime|date|time)/,
]
const TEXTS = [/^(?:text|utterance|transcript|message|msg|content|body|sentence|said|line|value)$/, /text$/]
const SPEAKERS = [
  /^(?:speaker|role|participant|party|actor|sender|author|from|who|side)(?:name|role|label|type|id)?$/,
  /^(?:channel|name|user)$/,
]
const STARTS = [
  /^(?:start|begin|offset|from|time|timestamp)(?:time|offset)?(?:s|sec|secs|seconds|ms|millis|milliseconds)?$/,
]
const ENDS = [/^(?:end|stop|to|until)(?:time|offset)?(?:s|sec|secs|seconds|ms|millis|milliseconds)?$/]

/**
 * Mappings that may read a document of a shape no format has, made from its own fields, those to be tried first first: of what a
 * call record lacks alone, which leaves all else in it as it is; then of all. As they are written behind `--map`.
 */
export function suggestMaps(shape: Shape): readonly (readonly string[])[] {
  const all = allMaps(shape)
  const lacking = all.filter(map => {
    const target = map.slice(0, map.indexOf('='))
    return !isOfTurns(target) && !shape.has(target)
  })
  return [lacking, ...(lacking.length === all.length ? [] : [all])].filter(maps => maps.length > 0)
}

/** Where the id, the agent, the start and the turns of a document are, as far as the names of its fields tell. */
function allMaps(shape: Shape): readonly string[] {
  const paths = [...shape.keys()].filter(path => !path.includes('[]') && PLAIN_PATH.test(path))
  const maps: string[] = []
  const add = (field: string, path: string | undefined): void => {
    if (path !== undefined) maps.push(`${field}=${path}`)
  }
  add(
    'session_id',
    named(paths, IDS, path => shape.get(path) !== undefined),
  )
  add(
    'agent_name',
    named(paths, AGENTS, path => shape.get(path) !== undefined),
  )
  add(
    'created_dt',
    named(paths, TIMES, path => 'instant' in toInstant(shape.get(path), 'UTC')),
  )
  const turns = turnsOf(shape)
  if (turns === undefined) return maps
  const inTurn = (patterns: readonly RegExp[], fits: (path: string) => boolean = () => true): string | undefined =>
    named(turns.fields, patterns, field => PLAIN_PATH.test(field) && fits(`${turns.path}[].${field}`))
  const isNumber = (path: string): boolean => /^-?\d+(?:\.\d+)?$/.test(shape.get(path) ?? '')
  maps.push(`${TURNS_TARGET}=${turns.path}`)
  add('turn.text', inTurn(TEXTS))
  add('turn.speaker', inTurn(SPEAKERS))
  for (const [side, patterns] of [
    ['start', STARTS],
    ['end', ENDS],
  ] as const) {
    const field = inTurn(patterns, isNumber)
    add(`turn.${side}_${field !== undefined && /m(?:illi)?s|millis/i.test(field) ? 'ms' : 's'}`, field)
  }
  return maps
}

/** The list of a document whose entries have a text, best with who said it; the fields of its entries. */
function turnsOf(shape: Shape): { readonly path: string; readonly fields: readonly string[] } | undefined {
  const lists = new Map<string, string[]>()
  for (const path of shape.keys()) {
    const [list, field, more] = path.split('[].')
    if (list === undefined || field === undefined || more !== undefined || !PLAIN_PATH.test(list)) continue
    lists.set(list, [...(lists.get(list) ?? []), field])
  }
  const found = [...lists]
    .map(([path, fields]) => ({ path, fields }))
    .filter(({ fields }) => named(fields, TEXTS) !== undefined)
  return found.find(({ fields }) => named(fields, SPEAKERS) !== undefined) ?? found[0]
}

/** The path whose last name is the likeliest of some; the outermost of several. */
function named(
  paths: readonly string[],
  patterns: readonly RegExp[],
  fits: (path: string) => boolean = () => true,
): string | undefined {
  const outermost = paths.toSorted((a, b) => a.split('.').length - b.split('.').length)
  for (const pattern of patterns) {
    const path = outermost.find(one => pattern.test(plainName(one)) && fits(one))
    if (path !== undefined) return path
  }
  // An object named after what is looked for, with the name within: agent.name.
  return outermost.find(one => {
    const [parent = '', last = ''] = one.split('.').slice(-2)
    return (
      one.includes('.') &&
      /^(?:name|id|fullname|displayname)$/.test(last.toLowerCase()) &&
      patterns.some(pattern => pattern.test(plainName(parent))) &&
      fits(one)
    )
  })
}

function plainName(path: string): string {
  return (path.split('.').at(-1) ?? '').toLowerCase().replaceAll(/[_$-]/g, '')
}
