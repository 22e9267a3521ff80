import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/**
 * Most bytes of a document's JSON. Three thousand pages of text: what is read, checked and kept in one go must not keep others
 * waiting.
 */
export const MOST_DOCUMENT_BYTES = 8 * 1024 * 1024

/** A piece of a document, from one heading to the next. */
const section = z.strictObject({
  /** The heading; absent before the first one. */
  title: z.string().exactOptional(),
  text: z.string(),
})
export type KnowledgeSection = Immutable<z.output<typeof section>>

const embedding = z.strictObject({
  model: z.string(),
  /** Vectors of 32-bit floats, little-endian, in base64. */
  vectors: z.array(z.string()),
})

/** A document of a project's knowledge base, as plain text. */
export const knowledgeDocument = record({
  project_id: hidden(z.string()),
  /** Made of the name, so that importing a document again replaces it. */
  kb_id: shown(z.string()),
  /** Path within the folder it was imported from, or its file name. */
  name: shown(z.string()),
  title: shown(z.string()),
  /** Where people read it; http or https. */
  url: shown(z.string().exactOptional()),
  sections: shown(z.array(section)),
  imported_at: shown(z.string()),
  /** What the sections mean, in their order, where an embeddings endpoint is configured. */
  embedding: hidden(embedding.exactOptional()),
})
export type KnowledgeDocument = Immutable<z.output<typeof knowledgeDocument.stored>>

/** A document as it is listed: of its sections how many. */
export const documentView = knowledgeDocument.view.extend({ sections: z.int().meta({ description: 'How many' }) })
export type DocumentView = Immutable<z.output<typeof documentView>>

export function documentViewOf(kept: KnowledgeDocument): DocumentView {
  return { ...knowledgeDocument.show(kept), sections: kept.sections.length }
}

/** A document as its file gives it. */
export type KnowledgeDraft = Omit<KnowledgeDocument, 'project_id' | 'kb_id' | 'imported_at' | 'embedding'>
