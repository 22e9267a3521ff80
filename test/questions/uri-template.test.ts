import { describe, expect, test } from 'vitest'
import { UriTemplate } from '../../src/questions/uri-template.js'

const template = new UriTemplate('earshot://call/{session_id}/transcript')

describe('an address with a variable', () => {
  test.each(['abc', 'a/b%2F?é', 'a,b;c', '100%', '..', '{session_id}', '$&', '\u{1F600}'])(
    'carries %j there and back',
    session_id => {
      const uri = template.expand({ session_id })
      expect(uri).toMatch(/^earshot:\/\/call\/[^/?#]+\/transcript$/)
      expect(template.match(uri)).toEqual({ session_id })
    },
  )

  test('is decoded exactly once', () => {
    expect(template.match('earshot://call/a%252Fb/transcript')).toEqual({ session_id: 'a%2Fb' })
  })

  test.each([
    'earshot://call//transcript',
    'earshot://call/a/b/transcript',
    'earshot://call/a/transcript/',
    'earshot://call/a/transcript?x=1',
    'xearshot://call/a/transcript',
    'earshot://call/%/transcript',
    'earshot://call/%ff/transcript',
    'earshot://call/%ed%a0%80/transcript',
    '',
  ])('is not %j', uri => {
    expect(template.match(uri)).toBeUndefined()
  })
})
