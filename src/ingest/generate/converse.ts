import type { CallSetting } from './call-setting.js'
import { Conversation } from './conversation.js'
import { fillIn } from './fill-in.js'
import { Observations } from './observations.js'
import { phrases } from './phrases.js'
import type { Random } from './random.js'

/** A call as it was held, and what it shows. */
export interface HeldCall {
  readonly conversation: Conversation
  readonly observations: Observations
  readonly resolved: 'resolved' | 'refused' | 'unclear'
}

type Actor = 'agent' | 'customer'

const MOST_SMALL_TALK = 4
/** What comes after it takes 15 turns at most, and a call has 40. */
const SMALL_TALK_UP_TO = 22
/** Gap that no one announced, seconds. */
const DEAD_AIR = 10
/** Share of long gaps from which on a call is too silent, and from which on it may be. */
const SILENT = 0.3
const MAYBE_SILENT = 0.2

/** Lets a call be held: what is said follows from what the agent does well, and the observations quote what is said. */
export function converse(setting: CallSetting, random: Random): HeldCall {
  return new Holding(setting, random).hold()
}

class Holding {
  readonly #setting: CallSetting
  readonly #random: Random
  readonly #talk: Conversation
  readonly #seen = new Observations()
  readonly #upset: boolean
  #holdTurn: number | undefined

  constructor(setting: CallSetting, random: Random) {
    this.#setting = setting
    this.#random = random
    this.#talk = new Conversation(random, !setting.chat)
    this.#upset = random.chance(0.35 + (1 - setting.scenario.ease) * 0.5)
  }

  hold(): HeldCall {
    this.#open()
    this.#reason()
    this.#verify()
    this.#work()
    this.#pressure()
    const resolved = this.#resolve()
    this.#close()
    this.#measure()
    return { conversation: this.#talk, observations: this.#seen, resolved }
  }

  /** Whether the agent does something: so often in general, more so the better they work. */
  #does(usual: number, bySkill = 1): boolean {
    return this.#random.chance(Math.min(0.98, Math.max(0.02, usual + (this.#setting.skill - 0.7) * bySkill)))
  }

  #word(variants: readonly string[]): string {
    return fillIn(this.#random.pick(variants), this.#setting.values)
  }

  #say(actor: Actor, variants: readonly string[], gap?: number): number {
    return this.#talk.say(actor, this.#word(variants), gap)
  }

  #open(): void {
    if (this.#setting.outbound) {
      const turn = this.#say('agent', phrases.callingBack)
      this.#seen.note('greeting_given', 'present', turn)
      this.#seen.note('brand_named', 'present', turn)
      this.#seen.note('agent_named', 'present', turn)
      this.#say('customer', phrases.hello)
      this.#help()
      return
    }
    const hour = new Date(this.#setting.at).getUTCHours()
    const byHour = hour < 12 ? 'Good morning' : 'Good afternoon'
    const greeting = this.#does(0.86) ? (this.#random.chance(0.5) ? byHour : this.#word(phrases.greeting)) : undefined
    const brand = this.#does(0.82) ? this.#word(phrases.brand) : undefined
    const name = this.#does(0.8) ? this.#word(phrases.name) : undefined
    const said = [greeting, brand, name].filter(part => part !== undefined)
    const opening = said.join(', ')
    const turn =
      said.length === 0
        ? this.#say('agent', phrases.bare)
        : this.#talk.say('agent', `${opening.charAt(0).toUpperCase()}${opening.slice(1)}.`)
    // The first part begins the sentence with a capital: the quote is what the turn says.
    const quote = (part: string | undefined) =>
      part === said[0] && part !== undefined ? `${part.charAt(0).toUpperCase()}${part.slice(1)}` : part
    this.#seen.noteTurn('greeting_given', greeting === undefined ? undefined : turn, quote(greeting))
    this.#seen.noteTurn('brand_named', brand === undefined ? undefined : turn, quote(brand))
    this.#seen.noteTurn('agent_named', name === undefined ? undefined : turn, quote(name))
    this.#disclose()
    this.#help()
  }

  #disclose(): void {
    const reads = this.#setting.disclosure && this.#random.chance(0.68)
    this.#seen.noteTurn('compliance_disclosure', reads ? this.#say('agent', phrases.disclosure) : undefined)
    if (reads && this.#random.chance(0.5)) this.#say('customer', phrases.acknowledged)
  }

  #help(): void {
    this.#seen.noteTurn('help_offered', this.#does(0.84) ? this.#say('agent', phrases.help) : undefined)
  }

  #reason(): void {
    const { scenario } = this.#setting
    if (this.#random.chance(0.3)) this.#say('customer', phrases.hello)
    const reason = this.#say('customer', scenario.reason)
    this.#seen.note('reason_captured', this.#random.chance(0.96) ? 'present' : 'unclear', reason)
    const interrupts = !this.#setting.chat && this.#does(0.1, -0.5)
    if (this.#random.chance(0.14)) {
      this.#seen.note('repeat_contact', 'present', this.#say('customer', phrases.repeatContact))
    }
    if (this.#upset) {
      this.#say('customer', scenario.trouble)
      const angry = this.#random.chance(0.22 - (scenario.ease - 0.6) * 0.4)
      this.#seen.noteTurn('customer_frustrated', angry ? this.#say('customer', phrases.frustrated) : undefined)
    } else {
      this.#seen.note('customer_frustrated', 'absent')
    }
    const gap = interrupts ? -this.#random.within(0.4, 0.9) : undefined
    const caresFirst = this.#upset && this.#does(0.68)
    if (this.#upset) {
      this.#seen.noteTurn('empathy_shown', caresFirst ? this.#say('agent', phrases.empathy, gap) : undefined)
    }
    const willing = this.#does(0.7)
    const cutsOff = caresFirst ? undefined : gap
    const answer = this.#say('agent', willing ? phrases.willing : phrases.flat, cutsOff)
    this.#seen.noteTurn('willingness_shown', willing ? answer : undefined)
    if (!this.#setting.chat) {
      const cut = caresFirst ? answer - 1 : answer
      this.#seen.noteTurn('agent_interrupts', interrupts ? cut : undefined)
    }
  }

  #verify(): void {
    const asks = this.#does(0.86, 0.7)
    if (asks) {
      const ask = this.#say('agent', phrases.identityAsk)
      this.#say('customer', phrases.identityAnswer)
      this.#seen.note('identity_verified', 'present', ask)
    } else {
      this.#seen.note('identity_verified', this.#random.chance(0.15) ? 'unclear' : 'absent')
    }
  }

  #work(): void {
    const { scenario } = this.#setting
    let repeated: number | undefined
    for (const [index, step] of scenario.steps.entries()) {
      // Some customers say half of it by themselves.
      if (index > 0 && this.#random.chance(0.4)) continue
      this.#say('agent', step.ask)
      const answer = this.#word(step.answer)
      this.#talk.say('customer', answer)
      if (repeated === undefined && this.#does(0.08, -0.4)) {
        repeated = this.#say('agent', phrases.repeatAsk)
        this.#talk.say('customer', `${this.#word(phrases.repeatAnswer)}${answer}`)
      }
    }
    this.#seen.noteTurn('repeat_requested', repeated)
    const readsBack = this.#does(0.62)
    this.#seen.noteTurn('details_read_back', readsBack ? this.#say('agent', scenario.readBack) : undefined)
    if (readsBack) this.#say('customer', phrases.confirmBack)
    this.#wait()
    const asides = this.#random.chance(0.3) ? this.#random.pick(scenario.asides) : undefined
    if (asides !== undefined) {
      this.#say('customer', asides.ask)
      this.#say('agent', asides.answer)
    }
    const start = this.#random.between(0, phrases.smallTalk.length - 1)
    const pairs = this.#random.chance(0.3) ? this.#random.between(1, MOST_SMALL_TALK) : 0
    for (let pair = 0; pair < pairs && this.#talk.turns.length <= SMALL_TALK_UP_TO; pair += 1) {
      const [ask = '', answer = ''] = phrases.smallTalk[(start + pair) % phrases.smallTalk.length] ?? []
      this.#talk.say('agent', ask)
      this.#talk.say('customer', answer)
    }
  }

  /** A wait: announced and thanked for, or not. */
  #wait(): void {
    if (this.#setting.chat || !this.#random.chance(0.36)) return
    if (this.#does(0.72)) {
      this.#holdTurn = this.#say('agent', phrases.holdAsk)
      this.#talk.holds += 1
      this.#seen.note('hold_requested', 'present', this.#holdTurn)
      this.#say('customer', phrases.holdAnswer)
      const thanks = this.#does(0.75)
      const back = this.#say('agent', thanks ? phrases.holdThanks : phrases.back, this.#random.within(6, 24))
      this.#seen.noteTurn('hold_thanked', thanks ? back : undefined)
    } else {
      this.#say('agent', phrases.workingOnIt, this.#random.within(8, 20))
    }
  }

  /** What a customer says who does not get what they came for. */
  #pressure(): void {
    const { scenario } = this.#setting
    const leaving = scenario.driver === 'cancellation'
    if (this.#random.chance(leaving ? 0.3 : 0.04)) {
      this.#seen.note('competitor_mentioned', 'present', this.#say('customer', phrases.competitor))
      this.#say('agent', phrases.competitorAnswer)
    }
    if (leaving || this.#random.chance(this.#upset ? 0.06 : 0.01)) {
      this.#seen.note('cancel_intent', 'present', this.#say('customer', phrases.cancelIntent))
      this.#say('agent', phrases.cancelAnswer)
    }
    const escalates = this.#seen.is('customer_frustrated', 'present') && this.#random.chance(0.25)
    if (escalates) {
      this.#seen.note('escalation', 'present', this.#say('customer', phrases.escalationAsk))
      this.#say('agent', phrases.escalationAnswer)
    }
    const rude = this.#upset && this.#does(0.008, -0.05) && this.#random.chance(0.4)
    this.#seen.noteTurn('agent_rude', rude ? this.#say('agent', phrases.rude) : undefined)
  }

  #resolve(): HeldCall['resolved'] {
    const { scenario } = this.#setting
    if (this.#does(scenario.ease + 0.12, 0.8)) {
      this.#seen.note('resolution_stated', 'present', this.#say('agent', scenario.resolve))
      const confirms = this.#does(0.78, 0.6)
      const answer = this.#say('customer', confirms ? phrases.thanks : phrases.lukewarm)
      this.#seen.noteTurn('customer_confirms', confirms ? answer : undefined)
      const next = this.#does(0.7)
      this.#seen.noteTurn('next_step_given', next ? this.#say('agent', scenario.next) : undefined)
      if (next) this.#say('customer', phrases.fine)
      return 'resolved'
    }
    if (this.#random.chance(0.6)) {
      this.#seen.note('resolution_stated', 'absent', this.#say('agent', scenario.refuse))
      this.#say('customer', phrases.disappointed)
      this.#seen.note('customer_confirms', 'absent')
      this.#callBack(0.35)
      return 'refused'
    }
    this.#seen.note('resolution_stated', 'unclear', this.#say('agent', phrases.unclear))
    this.#say('customer', phrases.lukewarm)
    this.#seen.note('customer_confirms', 'absent')
    this.#callBack(0.6)
    return 'unclear'
  }

  #callBack(share: number): void {
    if (!this.#random.chance(share)) return
    this.#seen.note('callback_promised', 'present', this.#say('agent', phrases.callback))
    this.#say('customer', phrases.callbackAnswer)
  }

  #close(): void {
    const offers = this.#does(0.74)
    this.#seen.noteTurn('further_help_offered', offers ? this.#say('agent', phrases.further) : undefined)
    if (offers) this.#say('customer', phrases.nothingElse)
    const polite = this.#does(0.8)
    const leave = this.#say('agent', polite ? phrases.closing : phrases.curt)
    this.#seen.noteTurn('closing_courtesy', polite ? leave : undefined)
    if (polite || this.#random.chance(0.5)) this.#say('customer', phrases.bye)
  }

  /** What the clock shows. */
  #measure(): void {
    if (this.#setting.chat) return
    const { longestGap, longestGapTurn, longSilenceShare } = this.#talk
    const announced = this.#holdTurn !== undefined
    if (announced || longestGap < 8) this.#seen.note('dead_air', 'absent')
    else this.#seen.note('dead_air', longestGap >= DEAD_AIR ? 'present' : 'unclear', longestGapTurn)
    const silent = longSilenceShare >= SILENT ? 'present' : longSilenceShare >= MAYBE_SILENT ? 'unclear' : 'absent'
    this.#seen.note('long_silence_share', silent)
  }
}
