import { z } from 'zod'
import { ROLES } from '../access/role.js'

/** A key as reads answer with it (see KeyView). */
export const keyAnswer = z.strictObject({
  key_id: z.string(),
  id: z.string().meta({ description: 'The same as key_id' }),
  name: z.string(),
  key_preview: z.string().meta({ description: 'First 8 and last 4 characters of the key' }),
  project_id: z.string(),
  active: z.boolean(),
  is_supervisor: z.boolean(),
  roles: z.array(z.enum(ROLES)),
  allowed_agents: z.array(z.string()).meta({ description: 'Agents the key hears; empty: see require_mapping' }),
  require_mapping: z.boolean().meta({ description: 'With no allowed_agents, the key hears nothing' }),
  created_at: z.string(),
  created_by: z.string(),
  last_used_at: z.string().optional(),
  expires_at: z.string().optional().meta({ description: 'Set by a rotation: when the key stops being accepted' }),
})

/** The answer to minting or rotating: the only one that holds the key itself. */
export const mintedKeyAnswer = keyAnswer.extend({
  key: z.string().meta({ description: 'The application key; shown this once' }),
})
