import { callFields } from '../calls/call-fields.js'

/** A projection to the record and nothing else: the store's derived fields are not part of it. */
export const WHOLE_RECORD: Readonly<Record<string, 0 | 1>> = {
  _id: 0,
  ...Object.fromEntries(callFields.map(({ name }) => [name, 1] as const)),
}
