import { z } from 'zod'

/** A secret of at least `min` bytes of UTF-8. Never trimmed, never repeated in an error. */
export function secret(min: number): z.ZodType<string, string> {
  return z.string().refine(value => Buffer.byteLength(value) >= min, `must be at least ${min} bytes long`)
}
