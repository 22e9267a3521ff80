import type { CallUnderWay } from './call-under-way.js'
import { phrases } from './phrases.js'

/** The agent opens the call, by as much of the script as is their habit. */
export function openCall(call: CallUnderWay): void {
  if (call.setting.outbound) {
    const turn = call.agentSays('callingBack')
    call.seen.note('greeting_given', 'present', turn)
    call.seen.note('brand_named', 'present', turn)
    call.seen.note('agent_named', 'present', turn)
    call.say('customer', phrases.hello)
    offerHelp(call)
    return
  }
  const hour = new Date(call.setting.at).getUTCHours()
  const byHour = hour < 12 ? 'Good morning' : 'Good afternoon'
  const part = (what: 'brand' | 'name') => call.word('agent', call.wording(what))
  const greeting = call.does('greets')
    ? call.random.chance(0.5)
      ? byHour
      : call.word('agent', phrases.greeting)
    : undefined
  const brand = call.does('names_company') ? part('brand') : undefined
  const name = call.does('names_self') ? part('name') : undefined
  const said = [greeting, brand, name].filter(one => one !== undefined)
  const opening = said.join(', ')
  const turn = said.length === 0 ? call.agentSays('bare') : call.talk.say('agent', `${capital(opening)}.`)
  // The first part begins the sentence with a capital: the quote is what the turn says.
  const quote = (one: string | undefined) => (one === said[0] && one !== undefined ? capital(one) : one)
  call.seen.noteTurn('greeting_given', greeting === undefined ? undefined : turn, quote(greeting))
  call.seen.noteTurn('brand_named', brand === undefined ? undefined : turn, quote(brand))
  call.seen.noteTurn('agent_named', name === undefined ? undefined : turn, quote(name))
  disclose(call)
  offerHelp(call)
}

function disclose(call: CallUnderWay): void {
  const reads = call.setting.disclosure && call.random.chance(0.68)
  call.seen.noteTurn('compliance_disclosure', reads ? call.agentSays('disclosure') : undefined)
  if (reads && call.random.chance(0.5)) call.say('customer', phrases.acknowledged)
}

function offerHelp(call: CallUnderWay): void {
  call.seen.noteTurn('help_offered', call.does('offers_help') ? call.agentSays('help') : undefined)
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
