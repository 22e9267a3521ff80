import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** What a proxy adds: the request behind it comes from elsewhere, though its connection is of this machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a request was sent on this machine and reached us by no proxy that says so. */
export function isLocal(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = request.socket.remoteAddress ?? ''
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false
  return FORWARDED.every(name => request.headers[name] === undefined)
}
