import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { Addresses } from '../../src/oauth/addresses.js'

const publicUrlOf = (EARSHOT_PUBLIC_URL: string) => loadConfig({}, { EARSHOT_PUBLIC_URL }).config.publicUrl

test('a public address is taken as clients write it, whatever its case, port or slash', () => {
  expect(publicUrlOf('https://Calls.Example.com:443/Earshot/')).toBe('https://calls.example.com/Earshot')
  expect(publicUrlOf('HTTPS://calls.example.com//')).toBe('https://calls.example.com')
  expect(publicUrlOf('https://calls.example.com:8001')).toBe('https://calls.example.com:8001')
  expect(() => publicUrlOf('https://calls.example.com/?x')).toThrow(
    'EARSHOT_PUBLIC_URL is "https://calls.example.com/?x", which ends in a query or fragment; give the address alone',
  )
})

test('a resource is compared as an address', () => {
  const at = new Addresses('https://calls.example.com/Earshot')
  for (const written of [
    'https://calls.example.com/Earshot/mcp',
    'https://Calls.Example.com:443/Earshot/mcp/',
    'HTTPS://calls.example.com/Earshot',
    'https://calls.example.com',
  ])
    expect(at.resourceOf(written), `${written} is ours`).toBe('https://calls.example.com/Earshot/mcp')
  for (const other of [
    'https://calls.example.com/earshot/mcp',
    'no address',
    'https://calls.example.com:8443/Earshot/mcp',
  ])
    expect(at.resources, `${other} is not`).not.toContain(at.resourceOf(other))
})
