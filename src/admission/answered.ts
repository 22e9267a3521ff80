import { Problem, type ProblemCode, type ProblemDetail } from '../base/problem.js'

/** What a thread answers: errors lose their class on the way from it. */
export type Answered<T> =
  | { readonly value: T }
  | {
      readonly problem: {
        readonly code: ProblemCode
        readonly message: string
        readonly details: readonly ProblemDetail[]
      }
    }

/** Does something in a thread whose Problems are to arrive as such. */
export function answered<T>(work: () => T): Answered<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, details } = error
    return { problem: { code, message, details } }
  }
}

/** What was answered. @throws Problem as the work did */
export function valueOf<T>(answer: Answered<T>): T {
  if ('value' in answer) return answer.value
  const { code, message, details } = answer.problem
  throw new Problem(code, message, { details })
}
