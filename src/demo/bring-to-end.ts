import type { HeldCall } from './held-call.js'
import type { CallUnderWay } from './call-under-way.js'
import { phrases } from './phrases.js'

/** Share of customers who say so when they got what they came for. */
const CONTENT = 0.8

/** What a customer says who does not get what they came for. */
function pressure(call: CallUnderWay): void {
  const { scenario } = call.setting
  const leaving = scenario.driver === 'cancellation'
  if (call.random.chance(leaving ? 0.3 : 0.04)) {
    call.seen.note('competitor_mentioned', 'present', call.say('customer', phrases.competitor))
    call.agentSays('competitorAnswer')
  }
  if (leaving || call.random.chance(call.upset ? 0.06 : 0.01)) {
    call.seen.note('cancel_intent', 'present', call.say('customer', phrases.cancelIntent))
    call.agentSays('cancelAnswer')
  }
  const escalates = call.seen.is('customer_frustrated', 'present') && call.random.chance(0.25)
  if (escalates) {
    call.seen.note('escalation', 'present', call.say('customer', phrases.escalationAsk))
    call.agentSays('escalationAnswer')
  }
  const snaps = call.does('snaps')
  if (snaps) call.say('customer', phrases.pressing)
  call.seen.noteTurn('agent_rude', snaps ? call.agentSays('rude') : undefined)
}

function resolve(call: CallUnderWay): HeldCall['resolved'] {
  const { scenario, manner } = call.setting
  if (call.random.chance(Math.min(0.97, Math.max(0.05, scenario.ease + manner.solves)))) {
    call.seen.note('resolution_stated', 'present', call.say('agent', scenario.resolve))
    call.content = call.random.chance(CONTENT)
    const answer = call.say('customer', call.content ? phrases.thanks : phrases.lukewarm)
    call.seen.noteTurn('customer_confirms', call.content ? answer : undefined)
    const next = call.does('explains_next')
    call.seen.noteTurn('next_step_given', next ? call.say('agent', scenario.next) : undefined)
    if (next) call.say('customer', phrases.fine)
    return 'resolved'
  }
  call.seen.note('next_step_given', 'absent')
  if (call.random.chance(0.6)) {
    call.seen.note('resolution_stated', 'absent', call.say('agent', scenario.refuse))
    call.say('customer', phrases.disappointed)
    promiseCallBack(call, 0.35)
    return 'refused'
  }
  call.seen.note('resolution_stated', 'unclear', call.agentSays('unclear'))
  call.say('customer', phrases.lukewarm)
  call.seen.note('customer_confirms', 'absent')
  promiseCallBack(call, 0.6)
  return 'unclear'
}

function promiseCallBack(call: CallUnderWay, share: number): void {
  if (!call.random.chance(share)) return
  const turn = call.agentSays('callback')
  call.seen.note('callback_promised', 'present', turn)
  call.seen.note('next_step_given', 'present', turn)
  call.say('customer', phrases.callbackAnswer)
}

function takeLeave(call: CallUnderWay): void {
  const offers = call.does('offers_more')
  call.seen.noteTurn('further_help_offered', offers ? call.agentSays('further') : undefined)
  if (offers) call.say('customer', call.content ? phrases.nothingElse : phrases.nothingMore)
  const polite = call.does('takes_leave')
  const leave = call.agentSays(polite ? 'closing' : 'curt')
  call.seen.noteTurn('closing_courtesy', polite ? leave : undefined)
  if (polite || call.random.chance(0.5)) call.say('customer', call.content ? phrases.bye : phrases.farewell)
}

/** What comes of the call, and how it ends. */
export function bringToEnd(call: CallUnderWay): HeldCall['resolved'] {
  pressure(call)
  const resolved = resolve(call)
  takeLeave(call)
  return resolved
}
