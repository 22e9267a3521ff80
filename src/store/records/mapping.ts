import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/** How a project's files of one source are read, under a name. */
export const mapping = record({
  mapping_id: shown(z.string().meta({ description: 'Its name' })),
  project_id: hidden(z.string()),
  map: shown(z.array(z.string()).meta({ description: 'FIELD=SOURCE each' })),
  agent_speaker: shown(z.array(z.string()).meta({ description: 'Labels of speakers who are the agent' })),
  time_zone: shown(z.string().exactOptional().meta({ description: 'Zone of times that say none' })),
  format: shown(
    z.string().exactOptional().meta({ description: 'Format to read everything as; by its content when absent' }),
  ),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
})
export type MappingRecord = Immutable<z.output<typeof mapping.stored>>
