import { z } from 'zod'

/** A turn as answers give it. */
export const transcriptTurn = z.strictObject({
  turn: z.int(),
  actor: z.string(),
  text: z.string(),
  start_s: z.number().optional(),
  end_s: z.number().optional(),
  text_cut: z
    .literal(true)
    .optional()
    .meta({ description: 'The turn alone is longer than a page; this is its beginning' }),
})

export type TranscriptTurn = z.infer<typeof transcriptTurn>

export interface TranscriptPage {
  readonly turns: readonly TranscriptTurn[]
  /** Where the next page starts; absent at the end. */
  readonly next: number | undefined
}

/**
 * Of turns from a place on at most so many bytes of JSON; at least one turn, so that paging gets on: one longer than a page
 * is cut and says so.
 * @param total turns of the whole transcript
 */
export function transcriptPage(
  turns: readonly TranscriptTurn[],
  { from, bytes, total }: { readonly from: number; readonly bytes: number; readonly total: number },
): TranscriptPage {
  const page: TranscriptTurn[] = []
  let used = 0
  for (const turn of turns) {
    const size = Buffer.byteLength(JSON.stringify(turn)) + 1
    if (used + size > bytes) {
      if (page.length === 0) page.push({ ...turn, text: cut(turn.text, bytes), text_cut: true })
      break
    }
    page.push(turn)
    used += size
  }
  const next = from + page.length
  return { turns: page, next: page.length > 0 && next < total ? next : undefined }
}

/** The beginning of a text that takes at most so many bytes as JSON, whole characters only. */
function cut(text: string, bytes: number): string {
  // A UTF-16 unit takes at most six bytes in JSON (\uXXXX); most take one.
  let end = Math.min(text.length, bytes)
  while (end > 0 && Buffer.byteLength(JSON.stringify(text.slice(0, end))) > bytes) end = Math.floor(end * 0.8)
  return text.slice(0, end).toWellFormed()
}
