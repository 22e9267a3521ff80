import { afterEach, expect, test, vi } from 'vitest'
import { Overrun } from '../../src/base/overrun.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

afterEach(() => void vi.restoreAllMocks())

// The answer of a key that sees texts masked is worked on apart.
test.each([
  {
    of: 'the time of the answer',
    later: 60_000,
    says: 'The answer did not finish within its limit of 60 s; fewer days, or a filter at the beginning, leave less to read',
  },
  { of: 'less', later: 0, says: 'The answer took more than 512 MiB of memory; ask for less' },
])('work apart that is ended by $of says so', async ({ later, says }) => {
  const now = performance.now.bind(performance)
  const service = await asking('UTC', {
    threads: {
      run: () => {
        vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
        return Promise.reject(
          new Overrun(later > 0 ? 'took more than 1.0580049469 s' : 'took more than 512 MiB of memory'),
        )
      },
    },
  })
  try {
    await service.import('p', [call('s1')])
    await expect(service.ask(searchCalls, {}, caller({ text: 'masked' }))).rejects.toThrow(says)
  } finally {
    vi.restoreAllMocks()
    await service.close()
  }
})
