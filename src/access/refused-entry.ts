import { Problem } from '../base/problem.js'
import type { Admin } from './admin.js'
import type { Caller } from './caller.js'

/**
 * The gate's refusal of somebody it knows: the credential is good, but not for this, or not now. Or of whoever sends to an inbound
 * webhook what it did not sign: it is on record by the webhook.
 */
export class RefusedEntry extends Problem {
  readonly who: Caller | Admin

  constructor({ code, message, details, retryAfter }: Problem, who: Caller | Admin) {
    super(code, message, { details, ...(retryAfter === undefined ? {} : { retryAfter }) })
    this.who = who
  }
}

/** Runs what may refuse somebody known; the refusal says who it was. */
export async function asKnown<T>(who: Caller | Admin, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Problem ? new RefusedEntry(error, who) : error
  }
}
