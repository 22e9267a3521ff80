import { z } from 'zod'
import { label } from '../../base/label.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { timeZone } from '../../base/time-zone.js'
import type { ImportStore } from '../../store/import-store.js'
import type { MappingRecord } from '../../store/records/mapping.js'
import { type Followed, SharedRecords, type Sharing } from '../../store/shared-records.js'
import { formats } from '../formats/formats.js'
import type { ImportOptions } from '../import-calls.js'
import { parseMaps } from './parse-map.js'

/** Mappings that a project has at most. */
const MOST_MAPPINGS = 100

const short = z.string().min(1).max(1_000)

export const mappingName = label(100).regex(/^[^/]+$/, 'must hold no /')

/** What a saved mapping says, as `import` takes it. */
export const mappingFields = z.strictObject({
  mapping_id: mappingName.meta({ description: 'Its name' }),
  map: z.array(short).max(100).default([]).meta({
    description: 'FIELD=SOURCE: where a field comes from, such as agent_name=metadata.agent; may be repeated',
  }),
  agent_speaker: z.array(short).max(100).default([]).meta({
    description: 'Label of the speaker who is the agent, where labels do not say so; may be repeated',
  }),
  time_zone: timeZone.exactOptional().meta({ description: 'Zone of times that say none, such as Europe/Berlin' }),
  format: z
    .enum(formats.map(({ name }) => name) as [string, ...string[]])
    .exactOptional()
    .meta({ description: 'Format to read everything as; by its content when absent' }),
})

/** How an import reads. */
export type Reading = Pick<ImportOptions, 'mapping' | 'agentSpeakers' | 'timeZone' | 'format'>

interface SavedMappingsParts {
  readonly store: Pick<ImportStore, 'mappings'>
  readonly sharing?: Sharing
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The mappings of all projects: in memory, every change in the store first. */
export class SavedMappings {
  readonly #parts: SavedMappingsParts
  readonly #records: SharedRecords<MappingRecord>

  private constructor(parts: SavedMappingsParts) {
    this.#parts = parts
    const { store, sharing } = parts
    this.#records = new SharedRecords({
      kind: 'mappings',
      sharing,
      all: () => store.mappings.all(),
      idOf: one => placeOf(one.project_id, one.mapping_id),
    })
  }

  static async load(parts: SavedMappingsParts): Promise<SavedMappings> {
    const mappings = new SavedMappings(parts)
    await mappings.#records.load()
    return mappings
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Those of a project, by name. */
  list(projectId: string): readonly MappingRecord[] {
    return [...this.#records.values()]
      .filter(one => one.project_id === projectId)
      .toSorted((a, b) => (a.mapping_id < b.mapping_id ? -1 : 1))
  }

  /** @throws Problem `not_found` that lists what there is */
  get(projectId: string, name: string): MappingRecord {
    const found = this.#records.get(placeOf(projectId, name))
    if (found !== undefined) return found
    const names = this.list(projectId).map(one => echo(one.mapping_id))
    const known = names.length === 0 ? 'none is saved' : `saved: ${names.join(', ')}`
    throw new Problem('not_found', `Mapping not found: ${echo(name)} (${known})`)
  }

  /** Makes one, or replaces that of its name. @throws Problem `invalid_input` for what can't be read, `conflict` for too many */
  set(projectId: string, fields: z.output<typeof mappingFields>, author: string): Promise<MappingRecord> {
    return this.#records.run(async () => {
      parseMaps(fields.map)
      const place = placeOf(projectId, fields.mapping_id)
      if (this.#records.get(place) === undefined && this.list(projectId).length >= MOST_MAPPINGS) {
        throw new Problem('conflict', `A project has at most ${MOST_MAPPINGS} mappings; remove one first`)
      }
      const created_at = new Date(this.#parts.clock()).toISOString()
      const record = { project_id: projectId, ...fields, created_at, created_by: author }
      await this.#records.put(record, () => this.#parts.store.mappings.put(record))
      return record
    })
  }

  /** @throws Problem `not_found` */
  remove(projectId: string, name: string): Promise<void> {
    return this.#records.run(async () => {
      this.get(projectId, name)
      const { mappings } = this.#parts.store
      await this.#records.remove(placeOf(projectId, name), () => mappings.remove(projectId, name))
    })
  }
}

/** What a saved mapping comes to; what is said beside it is added, and counts where both say it. */
export function readingOf(
  saved: Pick<MappingRecord, 'map' | 'agent_speaker' | 'time_zone' | 'format'>,
  beside: Reading = {},
): Reading {
  const own = beside.mapping ?? []
  const targets = new Set(own.map(({ target }) => target))
  const timeZone_ = beside.timeZone ?? saved.time_zone
  const format = beside.format ?? saved.format
  return {
    mapping: [...parseMaps(saved.map).filter(({ target }) => !targets.has(target)), ...own],
    agentSpeakers: [...saved.agent_speaker, ...(beside.agentSpeakers ?? [])],
    ...(timeZone_ !== undefined && { timeZone: timeZone_ }),
    ...(format !== undefined && { format }),
  }
}

const placeOf = (projectId: string, name: string) => `${projectId}/${name}`
