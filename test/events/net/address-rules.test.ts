import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressRules } from '../../../src/events/net/address-rules.js'
import { literalOf } from '../../../src/events/net/literal-of.js'

const nobody = addressRules([])

const REFUSED: readonly string[] = [
  // This machine, "this network", broadcast
  '127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '255.255.255.255', '::1', '::',
  // Private, shared, link-local, benchmarks, documentation, reserved
  '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255', '169.254.0.1',
  '198.18.0.1', '192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '192.88.99.1',
  // Metadata services: AWS and others, ECS, Alibaba, Azure, Oracle, AWS by IPv6
  '169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254',
  // Groups
  '224.0.0.1', '239.255.255.250', 'ff02::1',
  // IPv6: unique-local, link-local, site-local, documentation, discard, unassigned
  'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', '2001:db8::1', '3fff::1', '100::1', '4000::1', 'e000::1', '5f00::1',
  // IPv4 in IPv6: mapped (two spellings), compatible, translated, NAT64 (both prefixes), 6to4, Teredo
  '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::127.0.0.1', '::ffff:0:7f00:1',
  '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2002:a00:1::1', '2001:0:7f00:1::1',
  // Nothing that is no address
  '', 'localhost', '127.0.0.1.example.com', '1.2.3.4.5', 'fe80::1%eth0', '::1%lo',
] // oxfmt-ignore

const ALLOWED = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
]

describe('without the operator’s word', () => {
  test.each(REFUSED)('%s is not told anything', address => {
    expect(nobody.allows(address)).toBe(false)
  })

  test.each(ALLOWED)('%s is', address => {
    expect(nobody.allows(address)).toBe(true)
  })
})

test('what the operator names is allowed, and nothing beside it', () => {
  const rules = addressRules(['10.1.0.0/16', '127.0.0.1', 'fd00::/64', '::ffff:192.168.0.0/112'])
  for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd00::7', '192.168.4.4', '8.8.8.8']) {
    expect([address, rules.allows(address)]).toEqual([address, true])
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:0:0:1::7', '::1', '64:ff9b::a01:203']) {
    expect([address, rules.allows(address)]).toEqual([address, false])
  }
})

/** The same IPv4 address as people and attackers write it in URLs. */
const spellings = (bytes: readonly number[]): readonly string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (n: number) => `0x${n.toString(16)}`
  const octal = (n: number) => `0${n.toString(8)}`
  return [
    bytes.join('.'),
    `${bytes.join('.')}.`,
    String(whole),
    hex(whole),
    octal(whole),
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    bytes.join('。'),
    bytes.join('.').replaceAll(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit))),
    `[::ffff:${bytes.join('.')}]`,
    `[::FFFF:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
    `[0:0:0:0:0:ffff:${bytes.join('.')}]`,
  ]
}

test('every spelling of an address in a URL is the same address', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), bytes => {
      const plain = nobody.allows(bytes.join('.'))
      for (const spelling of spellings(bytes)) {
        const literal = literalOf(new URL(`https://${spelling}/`))
        expect([spelling, literal !== undefined && nobody.allows(literal)]).toEqual([spelling, plain])
      }
    }),
    { numRuns: 300 },
  )
})

test('every spelling of an address nobody may reach is refused', () => {
  const inside = fc.constantFrom([127], [10], [169, 254], [192, 168], [172, 20], [100, 99], [0], [224], [250])
  const rest = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(inside, rest, (start, end) => {
      for (const spelling of spellings([...start, ...end].slice(0, 4))) {
        const literal = literalOf(new URL(`https://${spelling}/`))
        expect([spelling, literal !== undefined && nobody.allows(literal)]).toEqual([spelling, false])
      }
    }),
    { numRuns: 300 },
  )
})

test('only 2000::/3 is public among the addresses of IPv6', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  const held = fc.check(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), groups => {
      const [first = 0] = groups
      const address = groups.map(one => one.toString(16)).join(':')
      return first >> 13 === 1 || !nobody.allows(address)
    }),
    { numRuns: 1_000 },
  )
  expect(held.counterexample).toBeNull()
})
