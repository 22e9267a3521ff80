import { expect, test } from 'vitest'
import { Reports } from '../../src/tasks/reports.js'
import { silent } from '../support/access.js'

test('an erasure waits for those of its own project, and for no other project’s', async () => {
  const missing = () => Promise.reject(new Error('nothing is written'))
  const store = { note: missing, named: missing, naming: async () => [] }
  const reports = new Reports({ store, reportDir: undefined, log: silent })
  const done: string[] = []
  let end = (): void => undefined
  const held = new Promise<void>(resolve => (end = resolve))
  const first = reports.without('p', ['a'], () => held.then(() => done.push('p a')))
  const second = reports.without('p', ['b'], async () => done.push('p b'))
  await reports.without('q', ['c'], async () => done.push('q c'))
  end()
  await Promise.all([first, second])
  expect(done).toEqual(['q c', 'p a', 'p b'])
})
