import { expect, test } from 'vitest'
import { habitsOf } from '../../console/screens/agents/habits-of.js'

const guides = new Map([
  ['thanks', { guidance_kind: 'excellence' }],
  ['recap', { guidance_kind: 'excellence' }],
  ['warm', { guidance_kind: 'excellence' }],
  ['plain', { guidance_kind: 'excellence' }],
  ['greeting', { guidance_kind: 'excellence' }],
  ['late', { guidance_kind: 'opportunity' }],
] as const)

const finding = (key: string, share: number, z?: number) => ({
  key,
  display_name: key,
  calls: Math.round(share * 100),
  share,
  scope_share: 0.5,
  ...(z !== undefined && { z }),
})

test('is furthest above others first, without what is less often than with others beyond chance', () => {
  const findings = [
    finding('thanks', 0.9, -3.2),
    finding('recap', 0.2, 4.1),
    finding('warm', 0.8, -0.5),
    finding('plain', 0.3, 2.4),
    finding('greeting', 0, 5),
    finding('late', 0.6, 7),
  ]
  expect(habitsOf(findings, guides, 'excellence').map(one => one.key)).toEqual(['recap', 'plain', 'warm'])
  expect(habitsOf(findings, guides, 'opportunity').map(one => one.key)).toEqual(['late'])
})

test('is most frequent first where there is nobody beside', () => {
  const findings = [finding('recap', 0.2), finding('warm', 0.8), finding('plain', 0.3)]
  expect(habitsOf(findings, guides, 'excellence').map(one => one.key)).toEqual(['warm', 'plain', 'recap'])
})
