import { describe, expect, test } from 'vitest'
import { clientAddress, trustedProxies } from '../../src/access/client-address.js'

const request = (remoteAddress: string, ...forwarded: string[]) => ({
  socket: { remoteAddress },
  headersDistinct: forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded },
})

describe('the address of a client', () => {
  const isTrusted = trustedProxies(['::ffff:10.0.0.0/104', '127.0.0.1', 'fd00::/8'])

  test.each([
    ['the sender, when there is no proxy', request('203.0.113.7'), '203.0.113.7'],
    ['the sender, whatever a stranger writes', request('203.0.113.7', '1.2.3.4'), '203.0.113.7'],
    ['what a trusted proxy says', request('10.0.0.1', '198.51.100.2'), '198.51.100.2'],
    ['what the nearest proxy says, not what came to it', request('10.0.0.1', '6.6.6.6, 198.51.100.2'), '198.51.100.2'],
    ['what the first of several trusted proxies says', request('10.0.0.1', '198.51.100.2, 10.9.9.9'), '198.51.100.2'],
    ['the same over several headers', request('10.0.0.1', '198.51.100.2', '10.9.9.9'), '198.51.100.2'],
    ['what a proxy says that writes a port beside it', request('10.0.0.1', '198.51.100.2:49152'), '198.51.100.2'],
    ['the same in IPv6', request('10.0.0.1', '[2001:db8::1]:49152, [fd00::2]'), '2001:db8::1'],
    ['the proxy, when it says nothing readable', request('10.0.0.1', 'unknown'), '10.0.0.1'],
    ['the proxy, when it says nothing', request('10.0.0.1'), '10.0.0.1'],
    ['a trusted one over IPv6, and IPv4 mapped', request('::ffff:127.0.0.1', '2001:db8::1, fd00::2'), '2001:db8::1'],
  ])('is %s', (_, asked, address) => {
    expect(clientAddress(asked, isTrusted)).toBe(address)
  })

  test('is the sender when nobody is trusted', () => {
    expect(clientAddress(request('127.0.0.1', '1.2.3.4'), trustedProxies([]))).toBe('127.0.0.1')
  })
})
