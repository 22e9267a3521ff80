import { expect, test } from 'vitest'
import { OpenSessions } from '../../src/mcp/open-sessions.js'
import { anAdmission } from '../support/an-admission.js'

// When sessions expire; how many there may be is shown over sockets in sessions.test.ts.

function session(keyId: string, idle = true) {
  const kind = 'session' as const
  const made = {
    kind,
    id: keyId,
    keyId,
    projectId: 'acme',
    idle,
    ended: false,
    toolsChanged: () => undefined,
    end: () => void (made.ended = true),
  }
  return made
}

test('a session that nobody used for the idle time ends, one with a call or stream open never', () => {
  const sessions = new OpenSessions({ sessionIdleMs: 60_000 }, anAdmission().sessions)
  const [idle, busy] = [session('ada'), session('ada', false)]
  const before = Date.now()
  sessions.add(idle)
  sessions.add(busy)
  sessions.expire(before + 59_000)
  expect(idle.ended).toBe(false)
  sessions.expire(Date.now() + 61_000)
  expect([idle.ended, busy.ended]).toEqual([true, false])
  expect(sessions.size).toBe(1)
})
