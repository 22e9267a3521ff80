import type { Answer } from '../../client/questions.js'

export type Detail = Answer<'get_call_detail'>
export type Turn = NonNullable<Detail['transcript']>[number]
