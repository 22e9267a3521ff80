import { Int32 } from 'bson'
import { maskedFieldNames } from '../../calls/masked-fields.js'
import type { PrivacyStore } from '../privacy-store.js'
import type { RedactionStore, StoredTexts, WrittenPlace } from '../store.js'
import { type CallDocument, longOf, plain, readFields, withFields } from './call-document.js'
import type { CallWriter } from './call-writer.js'

const PAGE_CALLS = 256

const jsonOf = (document: CallDocument): string =>
  JSON.stringify(
    Object.fromEntries(['language_primary', ...maskedFieldNames].map(name => [name, plain(document[name]) ?? null])),
  )

/** Hands out the texts of stored calls, and writes them masked. */
export class MongoRedactions {
  readonly #writer: CallWriter
  readonly #privacy: Pick<PrivacyStore, 'heldAmong'>

  constructor(writer: CallWriter, privacy: Pick<PrivacyStore, 'heldAmong'>) {
    this.#writer = writer
    this.#privacy = privacy
  }

  async count(projectId: string): ReturnType<RedactionStore['countTexts']> {
    const { calls } = this.#writer
    const [count, [newest]] = await Promise.all([
      calls.countDocuments({ project_id: projectId }),
      calls
        .find({ project_id: projectId }, { projection: { write_number: 1 }, sort: { write_number: -1 }, limit: 1 })
        .toArray(),
    ])
    return { count, last: newest === undefined ? -1n : longOf(newest['write_number']) }
  }

  async page(projectId: string, after: WrittenPlace | undefined, last: bigint): Promise<readonly StoredTexts[]> {
    const { write = -1n, session_id: id = '' } = after ?? {}
    const from = new Int32(Number(write))
    const found = await this.#writer
      .find(
        {
          project_id: projectId,
          write_number: { $gte: from, $lte: new Int32(Number(last)) },
          $or: [{ write_number: { $gt: from } }, { session_id: { $gt: id } }],
        },
        { sort: { write_number: 1, session_id: 1 }, limit: PAGE_CALLS },
      )
      .toArray()
    return found.map(one => ({
      write: longOf(one['write_number']),
      session_id: String(one['session_id']),
      json: jsonOf(one),
    }))
  }

  async write(projectId: string, texts: readonly StoredTexts[]): Promise<readonly string[]> {
    if (texts.length === 0) return []
    return await this.#writer.writing(projectId, async () => {
      const ids = texts.map(({ session_id: id }) => id)
      const stored = await this.#writer.read(projectId, ids)
      const held = new Set(await this.#privacy.heldAmong(projectId, ids))
      const { write } = await this.#writer.number(0)
      const put = texts.flatMap(({ session_id: id, write: seen, json }): CallDocument[] => {
        const document = stored.get(id)
        if (document === undefined || held.has(id) || longOf(document['write_number']) !== seen) return []
        const unknown = Object.fromEntries(maskedFieldNames.map(name => [name, null]))
        const place = longOf(document['place'])
        return [withFields(document, { ...unknown, ...readFields(json, maskedFieldNames) }, { write, place })]
      })
      await this.#writer.apply(projectId, write, { put })
      return put.map(document => String(document['session_id']))
    })
  }
}
