import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { endpointEmbedder } from '../questions/knowledge/embedder.js'
import { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import type { Installation } from './open-installation.js'

/** The knowledge bases of an installation, found by meaning too where an endpoint for that is configured. */
export function openKnowledge({ store }: Installation, config: Config, log: Logger): Promise<KnowledgeBases> {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: apiKey } = config
  const embedder = url === undefined || model === undefined ? undefined : endpointEmbedder({ url, model, apiKey })
  return KnowledgeBases.load({ store: store.knowledge, sharing: store, embedder, log })
}
