import { expect, test } from 'vitest'
import { callerOfOperator } from '../../../src/access/caller-of.js'
import { TableExports } from '../../../src/questions/export/table-exports.js'
import { refusal } from '../../support/access.js'

/** Exports over a store that notes who reads, and lets each come to its end when the test says so. */
function exporting() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const exports = new TableExports({
    store: {
      run: (_, { key }) =>
        new Promise((_resolve, reject) => {
          begun.push(key ?? '')
          ends.push(() => reject(new Error('it ended')))
        }),
      stream: () => {
        throw new Error('nothing is read')
      },
    },
    parent: '/nowhere',
  })
  const ask = (project: string, key: string, signal = new AbortController().signal) => {
    const caller = { ...callerOfOperator(project), credential_id: key }
    return exports.write({ caller, format: 'csv', text: 'none', signal })
  }
  /** Ends one after the other, in the order in which they began. */
  const endAll = async (asked: readonly Promise<unknown>[]) => {
    const settled = Promise.allSettled(asked)
    for (const _ of asked) {
      // oxlint-disable-next-line no-await-in-loop -- who is next begins then
      await expect.poll(() => ends.length).toBe(1)
      ends.shift()?.()
    }
    await settled
    return begun.map(key => key.split(' ')[1])
  }
  return { ask, endAll }
}

test('one export runs at a time, and one of another project waits for the one that runs and no other', async () => {
  const { ask, endAll } = exporting()
  const asked = [ask('p', 'ada'), ask('p', 'ada'), ask('p', 'ben'), ask('q', 'cem')]
  expect(await endAll(asked)).toEqual(['ada', 'cem', 'ben', 'ada'])
})

test('few of a key and of a project wait; who is refused is told when to come again', async () => {
  const { ask, endAll } = exporting()
  const asked = ['ada', 'ada', 'ada', 'ben', 'ben', 'cem', 'cem'].map(key => ask('p', key))
  const told = 'exports of tables of this'
  expect(await refusal(() => ask('p', 'ada'))).toBe(`busy: 2 ${told} key are waiting already; try again in 10 s`)
  expect(await refusal(() => ask('p', 'eve'))).toBe(`busy: 6 ${told} project are waiting already; try again in 10 s`)
  await expect(ask('p', 'ada')).rejects.toMatchObject({ code: 'busy', retryAfter: 10 })
  const other = ask('q', 'dan')
  expect(await endAll([...asked, other])).toEqual(['ada', 'dan', 'ben', 'cem', 'ada', 'ben', 'cem', 'ada'])
})

test('who leaves while waiting is waited for by nobody', async () => {
  const { ask, endAll } = exporting()
  const first = ask('p', 'ada')
  const leaving = new AbortController()
  const gone = ask('p', 'ben', leaving.signal)
  const next = ask('q', 'cem')
  leaving.abort()
  await expect(gone).rejects.toMatchObject({ code: 'cancelled' })
  expect(await endAll([first, next])).toEqual(['ada', 'cem'])
})
