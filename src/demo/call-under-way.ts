import type { CallSetting } from './call-setting.js'
import { Conversation } from './conversation.js'
import { fillIn } from './fill-in.js'
import type { Habit } from './manners.js'
import { Observations } from './observations.js'
import { type Phrases, phrases } from './phrases.js'
import type { Random } from './random.js'
import { ToldValues } from './told-values.js'

type Actor = 'agent' | 'customer'

/** A call while it is held: who says what follows from the setting, the agent's habits and chance. */
export class CallUnderWay {
  readonly setting: CallSetting
  readonly random: Random
  readonly talk: Conversation
  /** What it shows, noted as it is said. */
  readonly seen = new Observations()
  readonly told = new ToldValues()
  /** The customer has trouble to tell of. */
  readonly upset: boolean
  /** The customer is pleased with what came of it. */
  content = false
  /** Where a wait was announced, and where details were read back. */
  holdTurn: number | undefined
  readBackTurn: number | undefined

  constructor(setting: CallSetting, random: Random) {
    this.setting = setting
    this.random = random
    this.talk = new Conversation(random, !setting.chat)
    this.upset = random.chance(0.35 + (1 - setting.scenario.ease) * 0.5)
  }

  /** Whether the agent does something: as often as it is their habit. */
  does(habit: Habit): boolean {
    return this.random.chance(this.setting.manner.habits[habit])
  }

  /** One of the wordings with the call's values in it; what is told in it is kept. */
  word(actor: Actor, variants: readonly string[]): string {
    const phrase = this.random.pick(variants)
    if (actor === 'customer') this.told.tells(phrase)
    else this.told.repeats(phrase)
    return fillIn(phrase, this.setting.values)
  }

  /** @returns the number of the turn */
  say(actor: Actor, variants: readonly string[], gap?: number): number {
    return this.talk.say(actor, this.word(actor, variants), gap)
  }

  /** The agent says something in the way of their manner. */
  agentSays(what: keyof Phrases, gap?: number): number {
    return this.say('agent', this.wording(what), gap)
  }

  wording(what: keyof Phrases): readonly string[] {
    return this.setting.manner.words[what] ?? phrases[what]
  }
}
