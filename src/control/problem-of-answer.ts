import { z } from 'zod'
import { Problem, type ProblemCode } from '../base/problem.js'

const failed = z.object({
  error: z.string(),
  code: z.string(),
  reference: z.string().optional(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

/** The failure that an answer of the running server tells of. */
export function problemOfAnswer(answer: unknown): Error {
  const { data } = failed.safeParse(answer)
  if (data === undefined) return new Error('The running server answered something unexpected')
  const { error, code, reference, details = [] } = data
  if (code === 'internal') {
    return new Error(
      `The running server failed; its log says why, under the reference ${reference ?? 'of this request'}`,
    )
  }
  return new Problem(code as ProblemCode, error, { details })
}

/** Whether a line of a stream tells of a failure. */
export function isFailure(line: object): boolean {
  return failed.safeParse(line).success
}
