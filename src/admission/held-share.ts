import type { Requester } from './requester.js'
import type { Share, Shares } from './shares.js'

/** An amount of something shared that somebody holds, which grows and shrinks. */
export class HeldShare {
  readonly #shares: Shares
  readonly #requester: Requester
  #share: Share | undefined
  #amount = 0

  constructor(shares: Shares, requester: Requester) {
    this.#shares = shares
    this.#requester = requester
  }

  /** Holds so much from now on, in place of what was held. @throws Problem as Shares does, holding what it held before */
  hold(amount: number): void {
    if (amount > this.#amount) {
      this.#share ??= this.#shares.take(this.#requester, 0)
      this.#share.more(amount - this.#amount)
    } else if (amount < this.#amount) {
      this.#share?.release()
      this.#share = amount === 0 ? undefined : this.#shares.take(this.#requester, amount)
    }
    this.#amount = amount
  }
}
