/** A piece of a document, from one heading to the next. */
export interface KnowledgeSection {
  /** The heading; absent before the first one. */
  readonly title?: string
  readonly text: string
}

/** A document of a project's knowledge base, as plain text. */
export interface KnowledgeDocument {
  readonly project_id: string
  /** Made of the name, so that importing a document again replaces it. */
  readonly kb_id: string
  /** Path within the folder it was imported from, or its file name. */
  readonly name: string
  readonly title: string
  /** Where people read it; http or https. */
  readonly url?: string
  readonly imported_at: string
  readonly sections: readonly KnowledgeSection[]
  /** What the sections mean, in their order, where an embeddings endpoint is configured. */
  readonly embedding?: KnowledgeEmbedding
}

export interface KnowledgeEmbedding {
  readonly model: string
  /** Vectors of 32-bit floats, little-endian, in base64. */
  readonly vectors: readonly string[]
}

/** A document as its file gives it. */
export type KnowledgeDraft = Omit<KnowledgeDocument, 'project_id' | 'kb_id' | 'imported_at' | 'embedding'>

/** Keeps the documents of every project's knowledge base; finding things in them is not the store's work. */
export interface KnowledgeStore {
  /** Adds a document or replaces the one with its id; durable when it resolves. Gives back whether it replaced one. */
  put(document: KnowledgeDocument): Promise<boolean>
  /** `false` when there was none. */
  remove(projectId: string, kbId: string): Promise<boolean>
  get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined>
  /** Every document, or those of one project, by project and name. */
  all(projectId?: string): Promise<readonly KnowledgeDocument[]>
}
