import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/** Something that one administrator asked for and a second one has to confirm. */
export const approval = record({
  approval_id: shown(z.string()),
  project_id: shown(z.string()),
  action: shown(z.string().meta({ description: 'Method and path of what was asked for' })),
  asked: shown(z.string().meta({ description: 'What was asked for: path, query and body as JSON' })),
  digest: hidden(z.string()),
  requested_at: shown(z.string()),
  requested_by: shown(z.string()),
  requested_subject: hidden(z.string()),
  expires_at: shown(z.string().meta({ description: 'Until when it can be confirmed, and then done' })),
  confirmed_at: shown(z.string().exactOptional()),
  confirmed_by: shown(z.string().exactOptional()),
})
export type ApprovalRecord = Immutable<z.output<typeof approval.stored>>
