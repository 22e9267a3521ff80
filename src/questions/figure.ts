import { z } from 'zod'

/** Decimals of a computed figure. A share of 0.2174 tells a reader what 0.21739130434782608 does, in a third of the room. */
const DECIMALS = 1e4
/** Significant digits of a probability: the smallest are told apart by their size, not by their decimals. */
const SIGNIFICANT_DIGITS = 4

/** A share, a mean or the difference of two, rounded where it leaves. What a call itself says stays as it is. */
export const figure = z.number().overwrite(value => Math.round(value * DECIMALS) / DECIMALS)

/** A probability, rounded where it leaves. */
export const probability = z.number().overwrite(value => Number(value.toPrecision(SIGNIFICANT_DIGITS)))

/** What seconds of calls are of, as descriptions of answers say it. */
export const SECONDS_OF =
  'Of talk_patterns.total_duration_s; where a call has none, session_metadata.audio_length_seconds; else the last end of a turn'
