import { z } from 'zod'
import { closest } from '../base/closest.js'
import { isObject } from '../base/is-object.js'
import { echo } from '../base/text.js'
import type { Asker } from './asker.js'
import { readDocuments } from './read-document.js'
import { occurs } from './why-empty.js'

/** The user's own fields, which no schema knows. */
const OPEN = 'session_metadata'

/** The newest calls, whose fields are known without a look at all calls. */
const NEWEST = 1_000

/** Most names that are looked for in all calls. */
const MOST_NAMES = 4

/** Stages whose keys say what is read; those of others may say what is made. */
const READS_KEYS = new Set(['$match', '$sort'])

const named = (text: string): string | undefined => new RegExp(`^\\$?${OPEN}\\.([^.$]+)`).exec(text)?.[1]

interface Names {
  /** Each name that is read, with the stage that reads it first. */
  readonly read: Map<string, string>
  readonly made: Set<string>
}

function collect(json: unknown, place: string, keysRead: boolean, names: Names): void {
  if (typeof json === 'string') {
    const name = json.startsWith('$') ? named(json) : undefined
    if (name !== undefined && !names.read.has(name)) names.read.set(name, place)
  } else if (Array.isArray(json)) {
    for (const item of json) collect(item, place, keysRead, names)
  } else if (isObject(json)) {
    for (const [key, value] of Object.entries(json)) {
      const name = key.startsWith('$') ? undefined : named(key)
      if (name !== undefined && keysRead && !names.read.has(name)) names.read.set(name, place)
      if (name !== undefined && !keysRead) names.made.add(name)
      collect(value, place, keysRead, names)
    }
  }
}

/** The fields of session_metadata that a pipeline reads and does not make itself, with the stage that reads each first. */
function metadataRead(pipeline: unknown): readonly (readonly [name: string, place: string])[] {
  const names: Names = { read: new Map(), made: new Set() }
  for (const [i, stage] of (Array.isArray(pipeline) ? pipeline : []).entries()) {
    const [operator = ''] = isObject(stage) ? Object.keys(stage) : []
    if (JSON.stringify(stage).includes(OPEN))
      collect(stage, `pipeline[${i}].${operator}`, READS_KEYS.has(operator), names)
  }
  return [...names.read].filter(([name]) => !names.made.has(name)).slice(0, MOST_NAMES)
}

/** Advice about fields of session_metadata that a pipeline reads and no call in scope has, with the closest that one has. */
export async function unknownMetadata(asker: Asker, pipeline: unknown): Promise<readonly string[]> {
  const read = asker.text === 'full' ? metadataRead(pipeline) : []
  if (read.length === 0) return []
  const found = await asker.ask([
    { $sort: { created_dt: -1 } },
    { $limit: NEWEST },
    { $project: { pair: { $objectToArray: `$${OPEN}` } } },
    { $unwind: '$pair' },
    { $group: { _id: '$pair.k' } },
  ])
  const known = new Set(readDocuments(z.object({ _id: z.string() }), found).map(({ _id: name }) => name))
  const unknown = await Promise.all(
    read
      .filter(([name]) => !known.has(name))
      .map(async ([name, place]) => {
        if (await occurs(asker, { [`${OPEN}.${name}`]: { $exists: true } }, { future: true })) return []
        const near = closest(name, known)
        const hint = near === undefined ? '' : `; did you mean ${echo(`${OPEN}.${near}`)}?`
        return [`${place}: no call has ${echo(`${OPEN}.${name}`)}${hint}`]
      }),
  )
  return unknown.flat()
}
