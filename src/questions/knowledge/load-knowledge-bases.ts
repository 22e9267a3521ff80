import type { KnowledgeDocument, KnowledgeStore } from '../../store/knowledge-store.js'
import { KnowledgeBase } from './knowledge-base.js'

/** The knowledge bases of all projects that have documents, by project. */
export async function loadKnowledgeBases(
  store: Pick<KnowledgeStore, 'all'>,
): Promise<ReadonlyMap<string, KnowledgeBase>> {
  const byProject = new Map<string, KnowledgeDocument[]>()
  for (const document of await store.all()) {
    const documents = byProject.get(document.project_id) ?? []
    byProject.set(document.project_id, documents)
    documents.push(document)
  }
  return new Map([...byProject].map(([project, documents]) => [project, new KnowledgeBase(documents)]))
}
