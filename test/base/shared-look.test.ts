import { expect, it, vi } from 'vitest'
import { sharedLook } from '../../src/base/shared-look.js'

it('passes on what the look says', async () => {
  expect(await sharedLook(async () => undefined, 1_000)()).toBeUndefined()
  const notReady = { code: 'audit_unavailable', cause: 'disk_full' } as const
  expect(await sharedLook(async () => notReady, 1_000)()).toEqual(notReady)
})

it('looks once for all who ask at the same time, and anew for the next', async () => {
  const look = vi.fn<() => Promise<undefined>>(async () => undefined)
  const ask = sharedLook(look, 1_000)
  await Promise.all([ask(), ask(), ask()])
  expect(look).toHaveBeenCalledTimes(1)
  await ask()
  expect(look).toHaveBeenCalledTimes(2)
})

it('reads a failure, and a look that does not end, as store_unavailable', async () => {
  expect(await sharedLook(() => Promise.reject(new Error('gone')), 1_000)()).toEqual({ code: 'store_unavailable' })
  expect(await sharedLook(() => new Promise(() => undefined), 10)()).toEqual({ code: 'store_unavailable' })
})
