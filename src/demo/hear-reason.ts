import type { CallUnderWay } from './call-under-way.js'
import { phrases } from './phrases.js'

/** The customer says why they call, and the agent meets it in their way; then asks who calls. */
export function hearReason(call: CallUnderWay): void {
  const { scenario, reason, chat } = call.setting
  if (call.random.chance(0.3)) call.say('customer', phrases.hello)
  call.seen.note('reason_captured', 'present', call.say('customer', [reason.says]))
  const cutsIn = !chat && call.does('cuts_in')
  if (call.random.chance(0.14)) {
    call.seen.note('repeat_contact', 'present', call.say('customer', phrases.repeatContact))
  }
  if (call.upset) call.say('customer', scenario.trouble)
  const angry = call.upset && call.random.chance(0.22 - (scenario.ease - 0.6) * 0.4)
  call.seen.noteTurn('customer_frustrated', angry ? call.say('customer', phrases.frustrated) : undefined)
  const gap = cutsIn ? -call.random.within(0.4, 0.9) : undefined
  const inTrouble = call.upset || reason.hurts === true
  const cares = inTrouble && call.does('cares')
  const first = call.talk.turns.length
  if (inTrouble) call.seen.noteTurn('empathy_shown', cares ? call.agentSays('empathy', gap) : undefined)
  const willing = call.does('is_willing')
  // To say "mhm" while somebody speaks is not to cut in.
  const answer = call.agentSays(willing ? 'willing' : cutsIn && !cares ? 'cutIn' : 'flat', cares ? undefined : gap)
  call.seen.noteTurn('willingness_shown', willing ? answer : undefined)
  if (!chat) call.seen.noteTurn('agent_interrupts', cutsIn ? first : undefined)
  verify(call)
}

function verify(call: CallUnderWay): void {
  const asks = call.does('verifies') ? call.agentSays('identityAsk') : undefined
  if (asks !== undefined) call.say('customer', phrases.identityAnswer)
  call.seen.noteTurn('identity_verified', asks)
}
