import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { record, shown } from './record.js'

/** Something an administrator wants to be told of, as its kind and values. */
export const alert = record({
  alert_id: shown(z.string()),
  project_id: shown(z.string()),
  name: shown(z.string()),
  /** Its meaning is with whoever evaluates alerts. */
  condition: shown(z.unknown()),
  agents: shown(z.array(z.string()).meta({ description: 'Names of the agents it is about; all when empty' })),
  /** After it was triggered it is silent for so long. */
  cooldown_seconds: shown(z.int()),
  active: shown(z.boolean()),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
  last_triggered_at: shown(z.string().exactOptional()),
})
export type AlertRecord = Immutable<z.output<typeof alert.stored>>
