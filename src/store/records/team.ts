import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { record, shown } from './record.js'

/** A named list of agents of a project: keys that name it hear whoever is in it at the time of a request. */
export const team = record({
  team_id: shown(z.string()),
  project_id: shown(z.string()),
  name: shown(z.string()),
  agents: shown(z.array(z.string()).meta({ description: 'Names of agents, spelled as in the calls' })),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
  changed_at: shown(z.string().exactOptional().meta({ description: 'When it was last changed; absent: never' })),
})
export type TeamRecord = Immutable<z.output<typeof team.stored>>

export const teamView = team.view
