import { callRecord } from './call-record.js'
import { type Field, fieldsOf } from './field-type.js'

/** The fields of the call record, in their order: the one list that columns, references and advice derive from. */
export const callFields: readonly Field[] = fieldsOf(callRecord)
