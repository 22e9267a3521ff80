import type { Role } from '../conversation/speech.js'

export interface MailAddress {
  readonly name: string
  readonly address: string
}

/** Mailboxes that a company answers from. */
const DESK =
  /^(?:support|help|helpdesk|service|services|customer[._-]?(?:service|support|care)|care|contact|info|hello|sales|billing|accounts?|orders?|returns|enquir(?:y|ies)|feedback|team|office|desk|kundenservice|kundendienst|soporte|assistance|servicio|atendimento)(?:[+._-].*)?$/i
const MACHINE = /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?|notifications?)(?:[+._-].*)?$/i

/**
 * Who of a thread is who: machines are, and everybody at the company whose support, service or like mailbox takes part is
 * an agent; all others are customers. Undefined for an address when no such mailbox takes part.
 *
 * @param asked addresses, names or domains (`@shop.example`) that were said to be agents
 */
export function sidesOf(
  senders: readonly MailAddress[],
  others: readonly MailAddress[],
  asked: readonly string[],
): (of: MailAddress) => Role | undefined {
  const wanted = new Set(asked.map(one => one.trim().toLowerCase()))
  const isAsked = ({ name, address }: MailAddress) =>
    [name, address, `@${domainOf(address)}`].some(one => wanted.has(one.trim().toLowerCase()))
  const asksForSome = senders.some(isAsked)
  const desks = [...senders, ...others].filter(({ address }) => DESK.test(localPart(address)))
  const company = new Set(desks.map(({ address }) => domainOf(address)))
  return of => {
    if (MACHINE.test(localPart(of.address))) return 'system'
    if (asksForSome) return isAsked(of) ? 'agent' : 'customer'
    if (company.size === 0) return undefined
    return company.has(domainOf(of.address)) ? 'agent' : 'customer'
  }
}

function localPart(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')))
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}
