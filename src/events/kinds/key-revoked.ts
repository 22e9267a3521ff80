import { z } from 'zod'
import { eventKind } from './event-kind.js'

/** An application key is accepted no more. */
export const keyRevoked = eventKind({
  name: 'key.revoked',
  description: 'An application key was revoked, or the grace of a rotated one ended.',
  data: z.strictObject({ key_id: z.string() }),
  subject: ({ key_id }) => `key/${key_id}`,
})
