import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** Counts takes within a window. */
export interface Limiter {
  /** @throws RateLimiterRes where there is none left */
  consume(key: string): Promise<RateLimiterRes>
}

export interface LimiterOptions {
  /** Names what is counted: equal ones count together, in whichever process. */
  readonly name: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** Makes what counts takes: of this process alone, or of all processes of a store. */
export type LimiterOf = (options: LimiterOptions) => Limiter

export const inMemory: LimiterOf = ({ points, duration }) => new RateLimiterMemory({ points, duration })
