import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

const count = z.int().min(0)
const tokens = z.strictObject({ input: count, output: count })

/** Requests that went to a language model's provider together. Holds no words of calls and no key. */
export const modelBatch = record({
  batch_id: shown(z.string()),
  project_id: shown(z.string()),
  /** Where it was sent, and for which model: what it answers is fetched there, with the key for it. */
  kind: shown(z.enum(['openai', 'anthropic'])),
  url: shown(z.string()),
  model: shown(z.string()),
  which: hidden(z.enum(['pending', 'stale', 'all', 'everything'])),
  created_at: shown(z.string()),
  requests: shown(count.meta({ description: 'Requests in it' })),
  /** The provider's name for the file of requests, where it takes one: by this a batch is found whose name was lost. */
  file_id: hidden(z.string().exactOptional()),
  remote_id: shown(
    z
      .string()
      .exactOptional()
      .meta({ description: 'The provider’s name for it; absent while it is not known to have it' }),
  ),
  expected: shown(tokens.meta({ description: 'Tokens it is expected to take' })),
  cancelled_at: shown(z.string().exactOptional().meta({ description: 'When the provider was told to end it early' })),
  settled_at: shown(z.string().exactOptional().meta({ description: 'When what it answered was taken over' })),
  used: shown(tokens.exactOptional().meta({ description: 'Tokens it took' })),
  answered: shown(count.exactOptional().meta({ description: 'Requests that the model answered' })),
})
export type ModelBatchRecord = Immutable<z.output<typeof modelBatch.stored>>
