import { z } from 'zod'

const digest = z.strictObject({ bytes: z.number(), sha256: z.string() })

const copy = z.strictObject({
  from: z.string(),
  /** Absent: only read, for its hash. */
  to: z.string().exactOptional(),
  /** Only so many bytes. */
  limit: z.int().exactOptional(),
})

/** What the copying process is asked for. */
export const childOrder = z.strictObject({
  copies: z.array(copy),
  /** Seals what it writes, to this recipient of age. */
  recipient: z.string().exactOptional(),
  /** A copied store whose rows are to be read and counted. */
  count: z.string().exactOptional(),
})

export type ChildOrder = z.infer<typeof childOrder>

export const childAnswer = z.union([
  /** It listens: what is sent before its modules are loaded is lost. */
  z.strictObject({ ready: z.literal(true) }),
  /** Bytes so far. */
  z.strictObject({ copied: z.number() }),
  z.strictObject({
    digests: z.array(digest.extend({ written: digest.exactOptional() })),
    /** Absent too where its rows can't be read to their end. */
    counts: z.record(z.string(), z.number()).exactOptional(),
  }),
  z.strictObject({ failed: z.strictObject({ code: z.string().exactOptional(), message: z.string() }) }),
])

export type ChildAnswer = z.infer<typeof childAnswer>

export type ChildResult = Extract<ChildAnswer, { digests: unknown }>
