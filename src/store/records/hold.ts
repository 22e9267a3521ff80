import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { record, shown } from './record.js'

/** Whose calls: by the name calls show, or by a field of session_metadata; letters' case and blanks around make no difference. */
export interface CustomerChoice {
  readonly customer?: string | undefined
  readonly field?: string | undefined
  readonly value?: string | undefined
}

/** Calls that are neither erased nor retired while it stands: named ones, or all of a customer, later ones included. */
export const hold = record({
  hold_id: shown(z.string()),
  project_id: shown(z.string()),
  name: shown(z.string().meta({ description: 'What it is for, such as a matter’s number' })),
  session_ids: shown(z.array(z.string()).exactOptional()),
  customer: shown(z.string().exactOptional().meta({ description: 'Calls that show this customer' })),
  field: shown(z.string().exactOptional().meta({ description: 'Calls whose session_metadata has this field' })),
  value: shown(z.string().exactOptional().meta({ description: 'and in it this value' })),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
})
export type HoldRecord = Immutable<z.output<typeof hold.stored>>

/** That calls were erased, and nothing that says which. */
export const erasure = record({
  erased_at: shown(z.string()),
  erased_by: shown(z.string().meta({ description: 'Name of the key, administrator or task' })),
  how: shown(z.enum(['call', 'customer', 'retention'])),
  calls: shown(z.int().meta({ description: 'How many' })),
})
export type ErasureRecord = Immutable<z.output<typeof erasure.stored>>
