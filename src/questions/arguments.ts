import { z } from 'zod'
import { printable } from '../base/printable.js'
import { isUnprintable } from '../base/text.js'

/** Arguments that several questions take, described once. */

/** A session id as callers give it: any text of a possible id; whether it exists is the question's matter. */
export const sessionId = z
  .string()
  .min(1)
  .max(200)
  .refine(text => !isUnprintable(text), 'must not hold control characters or lone surrogates')
  .meta({ description: 'session_id of a call, as search_calls lists it' })

/** A name compared exactly, after trimming and Unicode composition. */
export const exactName = (what: string) => printable(200).meta({ description: what })

const dateForm = 'A date such as 2026-03-01 (in the project’s time zone) or a date-time with an offset'

export const dateFrom = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: `Earliest start of the call, included. ${dateForm}` })
export const dateTo = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: `Latest start of the call, included (a date covers that whole day). ${dateForm}` })

/** How many calls are named beside each figure: their ids are most of what a long answer of figures costs. */
export const examples = z
  .int()
  .min(0)
  .max(3)
  .default(1)
  .meta({ description: 'Ids of calls given beside each figure, newest first, 0–3' })

export const cursor = z.string().min(1).max(4_096).optional().meta({ description: 'next_cursor of the page before' })

export const limit = (standard: number, most: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .default(standard)
    .meta({ description: `Most entries of a page, 1–${most}` })
