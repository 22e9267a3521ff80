import { describe, expect, test, vi } from 'vitest'
import { audited } from '../../src/activity/audited.js'
import { Problem } from '../../src/base/problem.js'
import { aTrail, fileHandles, linesIn, systemError } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

const request = {
  request_id: 'r-1',
  source: 'admin_token',
  credential_id: 'sub-1',
  name: 'boss@example.com',
  project_id: 'p',
  roles: ['Admin'],
  transport: 'rest',
  page: 'GET /api/v1/interactions/{interaction_id}',
} as const

describe('an audited answer', () => {
  test('is on record before it is given', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const answer = await audited(trail, request, async () => ['a', 'b'], {
      measure: list => ({ status: 200, rows: list.length, bytes: 9 }),
    })
    expect(answer).toEqual(['a', 'b'])
    expect(trail.lastSequence).toBe(1)
    const [line] = await linesIn(dataDir)
    expect(line).toMatchObject({ ...request, outcome: 'ok', status: 200, rows: 2, bytes: 9 })
  })

  test('names calls by a hash: the same for the same call, also after a restart, another for the same id elsewhere', async () => {
    const dataDir = tempDir()
    const ask = async (project_id: string) => {
      const trail = await aTrail(dataDir)
      await audited(trail, { ...request, project_id, sessionIds: ['call-77'] }, async () => null)
      await trail.close()
    }
    await ask('p')
    await ask('p')
    await ask('q')
    const lines = (await linesIn(dataDir)) as readonly unknown[] as readonly { session_hashes: readonly string[] }[]
    const [first, again, elsewhere] = lines.map(line => line.session_hashes)
    expect(first).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(again).toEqual(first)
    expect(elsewhere).not.toEqual(first)
    expect(JSON.stringify(lines)).not.toContain('call-77')
  })
})

test('an answer that may not be told any more is on record as refused, not as given', async () => {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir)
  const refusal = new Problem('forbidden', 'What the key may hear was changed while this was answered: ask again')
  const answer = audited(trail, request, async () => ['a', 'b'], {
    measure: list => ({ status: 200, rows: list.length }),
    check: () => {
      throw refusal
    },
  })
  expect(await answer.catch((error: unknown) => error)).toBe(refusal)
  const lines = await linesIn(dataDir)
  expect(lines).toEqual([expect.objectContaining({ ...request, outcome: 'refused', code: 'forbidden', status: 403 })])
  expect(lines[0]).not.toHaveProperty('rows')
})

describe('an audited failure', () => {
  test.each([
    [
      'a refusal',
      new Problem('forbidden', 'Role Admin required'),
      { outcome: 'refused', code: 'forbidden', status: 403 },
    ],
    [
      'a failure of the store',
      new Problem('store_unavailable', 'The store is closing'),
      { outcome: 'error', code: 'store_unavailable' },
    ],
    ['anything unexpected', new TypeError('secret detail'), { outcome: 'error', code: 'internal', status: 500 }],
  ])('%s is on record, without its text, and goes on unchanged', async (_, failure, expected) => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await expect(audited(trail, request, () => Promise.reject(failure))).rejects.toBe(failure)
    const [line] = await linesIn(dataDir)
    expect(line).toMatchObject(expected)
    expect(JSON.stringify(line)).not.toContain(failure.message)
  })
})

describe("while the trail can't be written", () => {
  test('an answer that was found does not leave', async () => {
    const trail = await aTrail(tempDir(), { retryMs: 60_000 })
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(systemError('ENOSPC'))
    await expect(audited(trail, request, async () => 'answer')).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  test('nothing is even begun, so that nothing is changed without a record', async () => {
    const trail = await aTrail(tempDir(), { retryMs: 60_000 })
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(systemError('ENOSPC'))
    await expect(audited(trail, request, async () => 'answer')).rejects.toThrow('audit trail')
    const run = vi.fn<() => Promise<string>>()
    await expect(audited(trail, request, run)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(run).not.toHaveBeenCalled()
  })
})
