import type { CallSetting } from './call-setting.js'
import { Conversation } from './conversation.js'
import { fillIn } from './fill-in.js'
import type { Habit, Phrases } from './manner.js'
import { Observations } from './observations.js'
import { phrases } from './phrases.js'
import type { Random } from './random.js'
import { ToldValues } from './told-values.js'

/** A call as it was held, and what it shows. */
export interface HeldCall {
  readonly conversation: Conversation
  readonly observations: Observations
  readonly resolved: 'resolved' | 'refused' | 'unclear'
}

type Actor = 'agent' | 'customer'

/** Share of customers who say so when they got what they came for. */
const CONTENT = 0.8
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
  readonly #told = new ToldValues()
  #holdTurn: number | undefined
  #readBackTurn: number | undefined
  /** The customer is pleased with what came of it. */
  #content = false

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

  /** Whether the agent does something: as often as it is their habit. */
  #does(habit: Habit): boolean {
    return this.#random.chance(this.#setting.manner.habits[habit])
  }

  /** One of the wordings with the call's values in it; what is told in it is kept. */
  #word(actor: Actor, variants: readonly string[]): string {
    const phrase = this.#random.pick(variants)
    if (actor === 'customer') this.#told.tells(phrase)
    else this.#told.repeats(phrase)
    return fillIn(phrase, this.#setting.values)
  }

  #say(actor: Actor, variants: readonly string[], gap?: number): number {
    return this.#talk.say(actor, this.#word(actor, variants), gap)
  }

  /** The agent says something in the way of their manner. */
  #agentSays(what: keyof Phrases, gap?: number): number {
    return this.#say('agent', this.#wording(what), gap)
  }

  #wording(what: keyof Phrases): readonly string[] {
    return this.#setting.manner.words[what] ?? phrases[what]
  }

  #open(): void {
    if (this.#setting.outbound) {
      const turn = this.#agentSays('callingBack')
      this.#seen.note('greeting_given', 'present', turn)
      this.#seen.note('brand_named', 'present', turn)
      this.#seen.note('agent_named', 'present', turn)
      this.#say('customer', phrases.hello)
      this.#help()
      return
    }
    const hour = new Date(this.#setting.at).getUTCHours()
    const byHour = hour < 12 ? 'Good morning' : 'Good afternoon'
    const part = (what: 'brand' | 'name') => this.#word('agent', this.#wording(what))
    const greeting = this.#does('greets')
      ? this.#random.chance(0.5)
        ? byHour
        : this.#word('agent', phrases.greeting)
      : undefined
    const brand = this.#does('names_company') ? part('brand') : undefined
    const name = this.#does('names_self') ? part('name') : undefined
    const said = [greeting, brand, name].filter(one => one !== undefined)
    const opening = said.join(', ')
    const turn = said.length === 0 ? this.#agentSays('bare') : this.#talk.say('agent', `${capital(opening)}.`)
    // The first part begins the sentence with a capital: the quote is what the turn says.
    const quote = (one: string | undefined) => (one === said[0] && one !== undefined ? capital(one) : one)
    this.#seen.noteTurn('greeting_given', greeting === undefined ? undefined : turn, quote(greeting))
    this.#seen.noteTurn('brand_named', brand === undefined ? undefined : turn, quote(brand))
    this.#seen.noteTurn('agent_named', name === undefined ? undefined : turn, quote(name))
    this.#disclose()
    this.#help()
  }

  #disclose(): void {
    const reads = this.#setting.disclosure && this.#random.chance(0.68)
    this.#seen.noteTurn('compliance_disclosure', reads ? this.#agentSays('disclosure') : undefined)
    if (reads && this.#random.chance(0.5)) this.#say('customer', phrases.acknowledged)
  }

  #help(): void {
    this.#seen.noteTurn('help_offered', this.#does('offers_help') ? this.#agentSays('help') : undefined)
  }

  #reason(): void {
    const { scenario, reason, chat } = this.#setting
    if (this.#random.chance(0.3)) this.#say('customer', phrases.hello)
    this.#seen.note('reason_captured', 'present', this.#say('customer', [reason.says]))
    const cutsIn = !chat && this.#does('cuts_in')
    if (this.#random.chance(0.14)) {
      this.#seen.note('repeat_contact', 'present', this.#say('customer', phrases.repeatContact))
    }
    if (this.#upset) this.#say('customer', scenario.trouble)
    const angry = this.#upset && this.#random.chance(0.22 - (scenario.ease - 0.6) * 0.4)
    this.#seen.noteTurn('customer_frustrated', angry ? this.#say('customer', phrases.frustrated) : undefined)
    const gap = cutsIn ? -this.#random.within(0.4, 0.9) : undefined
    const inTrouble = this.#upset || reason.hurts === true
    const cares = inTrouble && this.#does('cares')
    const first = this.#talk.turns.length
    if (inTrouble) this.#seen.noteTurn('empathy_shown', cares ? this.#agentSays('empathy', gap) : undefined)
    const willing = this.#does('is_willing')
    const answer = this.#agentSays(willing ? 'willing' : 'flat', cares ? undefined : gap)
    this.#seen.noteTurn('willingness_shown', willing ? answer : undefined)
    if (!chat) this.#seen.noteTurn('agent_interrupts', cutsIn ? first : undefined)
  }

  #verify(): void {
    const asks = this.#does('verifies') ? this.#agentSays('identityAsk') : undefined
    if (asks !== undefined) this.#say('customer', phrases.identityAnswer)
    this.#seen.noteTurn('identity_verified', asks)
  }

  #work(): void {
    const { scenario } = this.#setting
    let repeated: number | undefined
    // Those who ask again do so once: which answer it is they did not catch is chance.
    const again = this.#does('asks_again') ? this.#random.between(0, scenario.steps.length - 1) : undefined
    for (const [index, step] of scenario.steps.entries()) {
      // Some customers say half of it by themselves.
      if (index > 0 && index !== again && this.#random.chance(0.4)) continue
      this.#say('agent', step.ask)
      const answer = this.#word('customer', step.answer)
      this.#talk.say('customer', answer)
      if (index !== again) continue
      repeated = this.#agentSays('repeatAsk')
      this.#talk.say('customer', `${this.#word('customer', phrases.repeatAnswer)}${answer}`)
    }
    this.#seen.noteTurn('repeat_requested', repeated)
    this.#readBack()
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

  #readBack(): void {
    if (!this.#does('reads_back') || !this.#told.enough) return
    const fitting = this.#setting.scenario.readBack.filter(phrase => this.#told.fits(phrase))
    const { list } = this.#told
    const variants = fitting.length > 0 ? fitting : phrases.readBack.map(phrase => phrase.replace('{values}', list))
    this.#readBackTurn = this.#say('agent', variants)
    this.#say('customer', phrases.confirmBack)
  }

  /** A wait: announced and thanked for, or not. */
  #wait(): void {
    if (this.#setting.chat || !this.#does('takes_time')) return
    if (this.#does('announces_waits')) {
      this.#holdTurn = this.#agentSays('holdAsk')
      this.#talk.holds += 1
      this.#seen.note('hold_requested', 'present', this.#holdTurn)
      this.#say('customer', phrases.holdAnswer)
      const thanks = this.#does('thanks_for_waiting')
      const back = this.#agentSays(thanks ? 'holdThanks' : 'back', this.#random.within(6, 24))
      this.#seen.noteTurn('hold_thanked', thanks ? back : undefined)
    } else {
      this.#agentSays('workingOnIt', this.#random.within(8, 20))
    }
  }

  /** What a customer says who does not get what they came for. */
  #pressure(): void {
    const { scenario } = this.#setting
    const leaving = scenario.driver === 'cancellation'
    if (this.#random.chance(leaving ? 0.3 : 0.04)) {
      this.#seen.note('competitor_mentioned', 'present', this.#say('customer', phrases.competitor))
      this.#agentSays('competitorAnswer')
    }
    if (leaving || this.#random.chance(this.#upset ? 0.06 : 0.01)) {
      this.#seen.note('cancel_intent', 'present', this.#say('customer', phrases.cancelIntent))
      this.#agentSays('cancelAnswer')
    }
    const escalates = this.#seen.is('customer_frustrated', 'present') && this.#random.chance(0.25)
    if (escalates) {
      this.#seen.note('escalation', 'present', this.#say('customer', phrases.escalationAsk))
      this.#agentSays('escalationAnswer')
    }
    const snaps = this.#does('snaps')
    if (snaps) this.#say('customer', phrases.pressing)
    this.#seen.noteTurn('agent_rude', snaps ? this.#agentSays('rude') : undefined)
  }

  #resolve(): HeldCall['resolved'] {
    const { scenario, manner } = this.#setting
    if (this.#random.chance(Math.min(0.97, Math.max(0.05, scenario.ease + manner.solves)))) {
      this.#seen.note('resolution_stated', 'present', this.#say('agent', scenario.resolve))
      this.#content = this.#random.chance(CONTENT)
      const answer = this.#say('customer', this.#content ? phrases.thanks : phrases.lukewarm)
      this.#seen.noteTurn('customer_confirms', this.#content ? answer : undefined)
      const next = this.#does('explains_next')
      this.#seen.noteTurn('next_step_given', next ? this.#say('agent', scenario.next) : undefined)
      if (next) this.#say('customer', phrases.fine)
      return 'resolved'
    }
    this.#seen.note('next_step_given', 'absent')
    if (this.#random.chance(0.6)) {
      this.#seen.note('resolution_stated', 'absent', this.#say('agent', scenario.refuse))
      this.#say('customer', phrases.disappointed)
      this.#callBack(0.35)
      return 'refused'
    }
    this.#seen.note('resolution_stated', 'unclear', this.#agentSays('unclear'))
    this.#say('customer', phrases.lukewarm)
    this.#seen.note('customer_confirms', 'absent')
    this.#callBack(0.6)
    return 'unclear'
  }

  #callBack(share: number): void {
    if (!this.#random.chance(share)) return
    const turn = this.#agentSays('callback')
    this.#seen.note('callback_promised', 'present', turn)
    this.#seen.note('next_step_given', 'present', turn)
    this.#say('customer', phrases.callbackAnswer)
  }

  #close(): void {
    const offers = this.#does('offers_more')
    this.#seen.noteTurn('further_help_offered', offers ? this.#agentSays('further') : undefined)
    if (offers) this.#say('customer', this.#content ? phrases.nothingElse : phrases.nothingMore)
    const polite = this.#does('takes_leave')
    const leave = this.#agentSays(polite ? 'closing' : 'curt')
    this.#seen.noteTurn('closing_courtesy', polite ? leave : undefined)
    if (polite || this.#random.chance(0.5)) this.#say('customer', this.#content ? phrases.bye : phrases.farewell)
  }

  /** What only the end of the call shows, and what the clock does. */
  #measure(): void {
    if (this.#told.enough) {
      this.#seen.note('details_read_back', this.#told.readBack ? 'present' : 'absent', this.#readBackTurn)
    }
    if (this.#setting.chat) return
    const { longestGap, longestGapTurn, longSilenceShare } = this.#talk
    const announced = this.#holdTurn !== undefined
    if (announced || longestGap < 8) this.#seen.note('dead_air', 'absent')
    else this.#seen.note('dead_air', longestGap >= DEAD_AIR ? 'present' : 'unclear', longestGapTurn)
    const silent = longSilenceShare >= SILENT ? 'present' : longSilenceShare >= MAYBE_SILENT ? 'unclear' : 'absent'
    this.#seen.note('long_silence_share', silent)
  }
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
