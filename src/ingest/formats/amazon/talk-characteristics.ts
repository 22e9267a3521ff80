import { z } from 'zod'

const total = z.object({ TotalTimeMillis: z.number().min(0) })

/** What Contact Lens and Transcribe Call Analytics say of how the talking went; the names are Amazon's. */
export const talkCharacteristics = z.object({
  TotalConversationDurationMillis: z.number().min(0).optional(),
  Interruptions: z.object({ TotalCount: z.int().min(0).optional() }).optional(),
  NonTalkTime: total.optional(),
  TalkTime: total.extend({ DetailsByParticipant: z.record(z.string(), total).optional() }).optional(),
  ContactSummary: z.object({ PostContactSummary: z.object({ Content: z.string().optional() }).optional() }).optional(),
})

export function talkPatterns(talk: z.output<typeof talkCharacteristics> | undefined): object | undefined {
  if (talk === undefined) return undefined
  const { TotalConversationDurationMillis: whole, Interruptions, NonTalkTime, TalkTime } = talk
  const patterns = {
    total_duration_s: seconds(whole),
    interruption_count: Interruptions?.TotalCount,
    talk_time_ratio: share(TalkTime?.DetailsByParticipant?.['AGENT']?.TotalTimeMillis, TalkTime?.TotalTimeMillis),
    silence_ratio: share(NonTalkTime?.TotalTimeMillis, whole),
  }
  const known = Object.entries(patterns).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

function share(part: number | undefined, whole: number | undefined): number | undefined {
  if (part === undefined || whole === undefined || whole === 0) return undefined
  return Math.min(1, part / whole)
}

export function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000
}
