import { z } from 'zod'
import { eventKind } from './event-kind.js'

/** There is a new application key. */
export const keyMinted = eventKind({
  name: 'key.minted',
  description: 'An application key was minted, also by rotation.',
  data: z.strictObject({
    key_id: z.string(),
    is_supervisor: z.boolean(),
    roles: z.array(z.string()),
    require_mapping: z.boolean(),
    full_project: z.boolean().meta({ description: 'Whether it hears every call of the project' }),
  }),
  subject: ({ key_id }) => `key/${key_id}`,
})
