import type { Random } from './random.js'

/** Characters spoken a second. */
const CHARACTERS_A_SECOND = 15
/** A gap from which on nobody speaking counts as silence, seconds. */
const SILENCE_S = 5

export interface Turn {
  turn: number
  actor: 'agent' | 'customer'
  text: string
  /** Start and end in hundredths of a second from the start of the call; a chat's turns have none. */
  times: readonly [number, number] | undefined
}

export interface TalkPatterns {
  total_duration_s: number
  hold_count?: number
  interruption_count?: number
  talk_time_ratio?: number
  avg_response_time_ms?: number
  silence_ratio?: number
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

/** The turns of a call as they are said, and what the clock tells of them. */
export class Conversation {
  readonly turns: Turn[] = []
  longestGap = 0
  /** Turn after the longest gap. */
  longestGapTurn = 0
  holds = 0
  readonly #random: Random
  readonly #timed: boolean
  #clock: number
  #agentTime = 0
  #customerTime = 0
  #answers = 0
  #answerTime = 0
  #longGaps = 0
  #gaps = 0
  #interruptions = 0

  /** @param timed whether turns have times: those of a chat don't */
  constructor(random: Random, timed: boolean) {
    this.#random = random
    this.#timed = timed
    this.#clock = random.within(0.4, 2.5)
  }

  /**
   * Somebody says something.
   *
   * @param gap seconds since the turn before; negative when one cuts the other off
   * @returns the number of the turn
   */
  say(actor: 'agent' | 'customer', text: string, gap?: number): number {
    const turn = this.turns.length
    const previous = this.turns[turn - 1]
    const pause = turn === 0 ? 0 : (gap ?? this.#random.within(0.15, 1.6))
    const start = this.#clock + pause
    const length = 0.5 + (text.length / CHARACTERS_A_SECOND) * this.#random.within(0.85, 1.2)
    this.#clock = Math.max(this.#clock, start + length)
    if (actor === 'agent') this.#agentTime += length
    else this.#customerTime += length
    if (pause < 0) this.#interruptions += 1
    if (pause > this.longestGap) {
      this.longestGap = pause
      this.longestGapTurn = turn
    }
    this.#gaps += Math.max(0, pause)
    if (pause >= SILENCE_S) this.#longGaps += pause
    if (actor === 'agent' && previous?.actor === 'customer') {
      this.#answers += 1
      this.#answerTime += Math.max(0, pause)
    }
    const times = this.#timed ? ([Math.round(start * 100), Math.round((start + length) * 100)] as const) : undefined
    this.turns.push({ turn, actor, text, times })
    return turn
  }

  /** Length of the call, seconds. */
  get duration(): number {
    return hundredths(this.#clock + 0.8)
  }

  /** Share of the call that long gaps fill. */
  get longSilenceShare(): number {
    return this.#longGaps / this.duration
  }

  get talkPatterns(): TalkPatterns {
    const patterns: TalkPatterns = { total_duration_s: this.duration }
    if (!this.#timed) return patterns
    patterns.hold_count = this.holds
    patterns.interruption_count = this.#interruptions
    patterns.talk_time_ratio = hundredths(this.#agentTime / (this.#agentTime + this.#customerTime))
    patterns.avg_response_time_ms = this.#answers === 0 ? 0 : Math.round((this.#answerTime / this.#answers) * 1000)
    patterns.silence_ratio = hundredths(this.#gaps / this.duration)
    return patterns
  }
}
