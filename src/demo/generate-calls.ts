import { Problem } from '../base/problem.js'
import { assess } from './assess.js'
import type { CallSetting } from './call-setting.js'
import { ExtraSignals } from './extra-signals.js'
import { afterDecline, beforeDecline, type Manner } from './manners.js'
import { people } from './people.js'
import { FactTally, type PlantedFact } from './planted-facts.js'
import { Random } from './random.js'
import { scenarios } from './scenarios.js'
import { timeline } from './timeline.js'
import { valuesOf } from './values-of.js'
import { writeEvaluation } from './write-evaluation.js'
import { writeRecord } from './write-record.js'
import { bringToEnd } from './bring-to-end.js'
import { CallUnderWay } from './call-under-way.js'
import type { HeldCall } from './held-call.js'
import { hearReason } from './hear-reason.js'
import { openCall } from './open-call.js'
import { workOnIt } from './work-on-it.js'

/** Items to choose from, each as often as its weight says. */
class WeightedChoice<T> {
  readonly #items: readonly T[]
  readonly #upTo: readonly number[]
  readonly #total: number

  constructor(items: readonly T[], weightOf: (item: T) => number) {
    let total = 0
    this.#items = items
    this.#upTo = items.map(item => (total += weightOf(item)))
    this.#total = total
  }

  pick(random: Random): T {
    const place = random.unit() * this.#total
    const index = this.#upTo.findIndex(upTo => place < upTo)
    const item = this.#items[index === -1 ? this.#items.length - 1 : index]
    if (item === undefined) throw new RangeError('Nothing to choose from')
    return item
  }
}

/** Gap that no one announced, seconds. */
const DEAD_AIR_S = 10
/** Share of long gaps from which on a call is too silent, and from which on it may be. */
const SILENT = 0.3
const MAYBE_SILENT = 0.2

/** What only the end of the call shows, and what the clock does. */
function measureCall(call: CallUnderWay): void {
  if (call.told.enough) {
    call.seen.note('details_read_back', call.told.readBack ? 'present' : 'absent', call.readBackTurn)
  }
  if (call.setting.chat) return
  const { longestGap, longestGapTurn, longSilenceShare } = call.talk
  const announced = call.holdTurn !== undefined
  if (announced || longestGap < 8) call.seen.note('dead_air', 'absent')
  else call.seen.note('dead_air', longestGap >= DEAD_AIR_S ? 'present' : 'unclear', longestGapTurn)
  const silent = longSilenceShare >= SILENT ? 'present' : longSilenceShare >= MAYBE_SILENT ? 'unclear' : 'absent'
  call.seen.note('long_silence_share', silent)
}

/** Lets a call be held: what is said follows from what the agent does well, and the observations quote what is said. */
function converse(setting: CallSetting, random: Random): HeldCall {
  const call = new CallUnderWay(setting, random)
  openCall(call)
  hearReason(call)
  workOnIt(call)
  const resolved = bringToEnd(call)
  measureCall(call)
  return { conversation: call.talk, observations: call.seen, resolved }
}

const DAY_MS = 86_400_000

/** The agent's last three weeks. */
const DECLINE_DAYS = 21
/** Keeps what an evaluation adds to a call apart from the chance that makes the calls. */
const EVALUATION_STREAM = 0xe7a1
/** The driver's last week; how much more frequent it is then. */
const RISE_DAYS = 7
const RISING = 'billing dispute'
const RISE = 4.5
/** The signal's last two weeks. */
const VANISH_DAYS = 14
const VANISHING = 'compliance_disclosure'

export interface GenerateOptions {
  /** How many calls, from 1. */
  readonly calls: number
  /** An integer; the same seed, options and end give the same bytes. */
  readonly seed: number
  /** The calls lie in the days before it. Default: the start of the current day in UTC. */
  readonly end?: Date
  /** How many days the calls are spread over, from 28. Default 90. */
  readonly days?: number
  /** How many agents, 2–500. Default 12. */
  readonly agents?: number
  /** How many signals that are in no catalog, 0–500, a call naming about a dozen. Default 0. */
  readonly extraSignals?: number
  /**
   * Leaves out what an evaluation finds: the same calls as records of a telephone system that nobody has listened to.
   * Default false. Extra signals have no words that say them, so they are in evaluated calls only.
   */
  readonly unevaluated?: boolean
}

/** What was made, to make it again and to know what can be found in it. */
export interface GenerateReport {
  readonly calls: number
  readonly seed: number
  readonly from: string
  readonly end: string
  readonly days: number
  readonly agents: number
  readonly planted: readonly PlantedFact[]
  /** How each agent talks, so that it can be heard in their transcripts; of the one who declines, before and after. */
  readonly manners: readonly AgentManner[]
}

export interface AgentManner {
  readonly agent: string
  readonly manner: string
  readonly about: string
  /** Absent where it is the same all the time. */
  readonly from?: string
}

export interface GeneratedCalls {
  /** The call records as NDJSON, one line with its line feed each, in order of time. To be read once. */
  readonly lines: Iterable<string>
  /** Whole when the lines were read to their end. */
  readonly report: () => GenerateReport
}

/**
 * Makes up complete call records: names, drivers, transcripts of 8–40 turns, evaluations that follow from them, and
 * three facts planted on purpose, which questions about changes should find. All of it is in what is said and when: an
 * agent who declines talks otherwise, a signal that vanishes is said no more.
 *
 * @throws Problem `invalid_input` for options out of range
 */
export function generateCalls(options: GenerateOptions): GeneratedCalls {
  const { calls, seed, days = 90, agents: agentCount = 12, extraSignals = 0, unevaluated = false } = options
  const end = options.end?.getTime() ?? Math.floor(Date.now() / DAY_MS) * DAY_MS
  check('calls', calls, 1, 100_000_000)
  check('seed', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  check('days', days, 28, 3_650)
  check('agents', agentCount, 2, 500)
  check('extra-signals', extraSignals, 0, 500)
  const extra = new ExtraSignals(extraSignals, seed)
  if (unevaluated && extraSignals > 0) {
    throw new Problem('invalid_input', 'extra-signals must be 0 for unevaluated calls: no words say them')
  }
  const random = new Random(seed)
  const evaluating = new Random(seed ^ EVALUATION_STREAM)
  const { agents, customers } = people(agentCount, seed, random)
  const declining = agents[random.between(0, agents.length - 1)]?.name ?? ''
  const tallies = {
    declined: new FactTally(
      { kind: 'agent_declined', key: declining, measure: unevaluated ? 'planned mean score' : 'mean score' },
      end - DECLINE_DAYS * DAY_MS,
      end,
    ),
    rose: new FactTally({ kind: 'driver_rose', key: RISING, measure: 'share of calls' }, end - RISE_DAYS * DAY_MS, end),
    vanished: new FactTally(
      { kind: 'signal_vanished', key: `sig.${VANISHING}`, measure: 'share of calls with the signal present' },
      end - VANISH_DAYS * DAY_MS,
      end,
    ),
  }
  const chooseAgent = new WeightedChoice(agents, ({ load }) => load)
  const chooseScenario = new WeightedChoice(scenarios, ({ weight }) => weight)
  const chooseRisen = new WeightedChoice(scenarios, ({ driver, weight }) =>
    driver === RISING ? weight * RISE : weight,
  )

  const settingAt = (at: number): CallSetting => {
    const agent = chooseAgent.pick(random)
    const scenario = (tallies.rose.holdsAt(at) ? chooseRisen : chooseScenario).pick(random)
    const now = tallies.declined.holdsAt(at) ? afterDecline : beforeDecline
    const manner = agent.name === declining ? now : agent.manner
    const reason = random.pick(scenario.reasons)
    const values = valuesOf(scenario, agent, random.pick(customers), random)
    const chat = random.chance(0.07)
    const outbound = !chat && random.chance(0.09)
    return { scenario, reason, agent, manner, values, chat, outbound, disclosure: !tallies.vanished.holdsAt(at), at }
  }

  function* lines(): Generator<string> {
    for (const at of timeline(calls, days, end, random)) {
      const setting = settingAt(at)
      const held = converse(setting, random)
      const assessed = assess(held, setting, evaluating)
      if (setting.agent.name === declining) tallies.declined.add(at, assessed.score)
      tallies.rose.add(at, setting.scenario.driver === RISING ? 1 : 0)
      tallies.vanished.add(at, held.observations.is(VANISHING, 'present') ? 1 : 0)
      const call = writeRecord(setting, held, random)
      if (unevaluated) yield `${call}}\n`
      else yield `${call},${writeEvaluation(setting, held, assessed, evaluating, extra.next())}}\n`
    }
  }

  return {
    lines: lines(),
    report: () => ({
      calls,
      seed,
      from: new Date(end - days * DAY_MS).toISOString(),
      end: new Date(end).toISOString(),
      days,
      agents: agentCount,
      planted: [tallies.declined.fact, tallies.rose.fact, tallies.vanished.fact],
      manners: agents.flatMap(({ name, manner }) => {
        const told = ({ name: key, about }: Manner) => ({ agent: name, manner: key, about })
        if (name !== declining) return [told(manner)]
        return [
          told(beforeDecline),
          { ...told(afterDecline), from: new Date(end - DECLINE_DAYS * DAY_MS).toISOString() },
        ]
      }),
    }),
  }
}

function check(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return
  throw new Problem('invalid_input', `${name} must be a whole number from ${low} to ${high}`)
}
