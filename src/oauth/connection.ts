import { z } from 'zod'
import { narrowing } from '../store/oauth-store.js'

/** A client that somebody let in with a key. */
export const connection = z.strictObject({
  connection_id: z.string(),
  key_id: z.string().meta({ description: 'The key, or the person, it was let in with' }),
  client_name: z.string().meta({ description: 'As the client calls itself; nobody checked it' }),
  redirect_host: z.string().meta({ description: 'Where its answers go: a host, or the scheme of a program' }),
  created_at: z.string(),
  last_used_at: z.string().meta({ description: 'When it was last given tokens, which it is every 15 minutes of use' }),
  expires_at: z.string(),
  agents: narrowing.shape.agents.meta({
    description: 'The agents it was let in for, of those the key hears; absent: for all of them',
  }),
  text: narrowing.shape.text.meta({
    description: 'How much it was let in for of texts, where that is less than the key sees',
  }),
})
export type Connection = z.output<typeof connection>
