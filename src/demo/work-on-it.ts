import type { CallUnderWay } from './call-under-way.js'
import { phrases } from './phrases.js'

const MOST_SMALL_TALK = 4
/** What comes after it takes 15 turns at most, and a call has 40. */
const SMALL_TALK_UP_TO = 22

/** The agent asks what is needed, reads it back, waits for the system, talks of this and that. */
export function workOnIt(call: CallUnderWay): void {
  const { scenario } = call.setting
  let repeated: number | undefined
  // Those who ask again do so once: which answer it is they did not catch is chance.
  const again = call.does('asks_again') ? call.random.between(0, scenario.steps.length - 1) : undefined
  for (const [index, step] of scenario.steps.entries()) {
    // Some customers say half of it by themselves.
    if (index > 0 && index !== again && call.random.chance(0.4)) continue
    call.say('agent', step.ask)
    const answer = call.word('customer', step.answer)
    call.talk.say('customer', answer)
    if (index !== again) continue
    repeated = call.agentSays('repeatAsk')
    call.talk.say('customer', `${call.word('customer', phrases.repeatAnswer)}${answer}`)
  }
  call.seen.noteTurn('repeat_requested', repeated)
  readBack(call)
  wait(call)
  const asides = call.random.chance(0.3) ? call.random.pick(scenario.asides) : undefined
  if (asides !== undefined) {
    call.say('customer', asides.ask)
    call.say('agent', asides.answer)
  }
  const start = call.random.between(0, phrases.smallTalk.length - 1)
  const pairs = call.random.chance(0.3) ? call.random.between(1, MOST_SMALL_TALK) : 0
  for (let pair = 0; pair < pairs && call.talk.turns.length <= SMALL_TALK_UP_TO; pair += 1) {
    const [ask = '', answer = ''] = phrases.smallTalk[(start + pair) % phrases.smallTalk.length] ?? []
    call.talk.say('agent', ask)
    call.talk.say('customer', answer)
  }
}

function readBack(call: CallUnderWay): void {
  if (!call.does('reads_back') || !call.told.enough) return
  const fitting = call.setting.scenario.readBack.filter(phrase => call.told.fits(phrase))
  const { list } = call.told
  const variants = fitting.length > 0 ? fitting : phrases.readBack.map(phrase => phrase.replace('{values}', list))
  call.readBackTurn = call.say('agent', variants)
  call.say('customer', phrases.confirmBack)
}

/** A wait: announced and thanked for, or not. */
function wait(call: CallUnderWay): void {
  if (call.setting.chat || !call.does('takes_time')) return
  if (call.does('announces_waits')) {
    call.holdTurn = call.agentSays('holdAsk')
    call.talk.holds += 1
    call.seen.note('hold_requested', 'present', call.holdTurn)
    call.say('customer', phrases.holdAnswer)
    const thanks = call.does('thanks_for_waiting')
    const back = call.agentSays(thanks ? 'holdThanks' : 'back', call.random.within(6, 24))
    call.seen.noteTurn('hold_thanked', thanks ? back : undefined)
  } else {
    call.agentSays('workingOnIt', call.random.within(8, 20))
  }
}
