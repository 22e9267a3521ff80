import { describe, expect, test } from 'vitest'
import { addressRules } from '../../../src/events/net/address-rules.js'
import { checkUrl } from '../../../src/events/net/check-url.js'

const nobody = addressRules([])

describe('an address that nothing would ever be sent to is refused when it is written', () => {
  test.each([
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://METADATA.Google.Internal/',
    'https://metadata.google.internal./',
    'https://metadata.google.internal:8443/',
    'https://%6detadata.google.internal/',
    'https://ｍetadata。google。internal/',
    'https://metadata/',
    'https://metadata./',
    'https://metadata.goog/',
    'https://metadata.azure.internal/',
    'https://instance-data/latest/',
    'https://instance-data.ec2.internal/',
    'https://instance-data.eu-central-1.compute.internal/',
    'https://metadata.tencentyun.com/',
    'https://api.metadata.cloud.ibm.com/',
    'https://LOCALHOST./',
    'https://hooks.localhost/',
  ])('%s', url => {
    expect(() => checkUrl(url, nobody)).toThrow(/must lead to a public address, and ".+" is none/)
  })

  test.each([
    'https://metadata.example.com/',
    'https://metadata.google.internal.example.com/',
    'https://mymetadata.google.com/',
    'https://hooks.corp.internal/',
    'https://instance-data.example.com/',
  ])('%s is not: what a name leads to is looked at when a connection is made', url => {
    expect(() => checkUrl(url, nobody)).not.toThrow()
  })

  test('a metadata service whose address the operator allows is like any other', () => {
    const rules = addressRules(['169.254.169.254'])
    expect(() => checkUrl('https://metadata.google.internal/', rules)).not.toThrow()
    expect(() => checkUrl('https://metadata.tencentyun.com/', rules)).toThrow('is none')
  })
})
