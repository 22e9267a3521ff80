import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { allowedHosts } from '../../src/service/allowed-hosts.js'

const hosts = (environment: NodeJS.ProcessEnv) => {
  const { config } = loadConfig({}, environment)
  return allowedHosts(config, config.host)
}

test('requests may be addressed to this machine by default', () => {
  expect(hosts({})).toEqual(['localhost', '127.0.0.1', '[::1]'])
  expect(hosts({ HOST: '::1' })).toEqual(['localhost', '127.0.0.1', '[::1]'])
})

test('the hosts that are named replace it', () => {
  expect(hosts({ EARSHOT_ALLOWED_HOSTS: 'calls.example.com', HOST: '0.0.0.0' })).toEqual(['calls.example.com'])
})

test('the hosts of the public addresses are always among them', () => {
  const EARSHOT_PUBLIC_URL = 'https://calls.example.com:8443/api'
  expect(hosts({ EARSHOT_PUBLIC_URL })).toContain('calls.example.com')
  expect(hosts({ EARSHOT_PUBLIC_URL, EARSHOT_ALLOWED_HOSTS: 'inside' })).toEqual(['inside', 'calls.example.com'])
  expect(hosts({ EARSHOT_PUBLIC_URL, EARSHOT_PUBLIC_API_URL: 'https://api.example.com' })).toContain('api.example.com')
  expect(() => hosts({ EARSHOT_PUBLIC_URL: 'calls.example.com' })).toThrow(
    'EARSHOT_PUBLIC_URL is "calls.example.com", not an https:// address',
  )
})
