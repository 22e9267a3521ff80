import { describe, expect, test } from 'vitest'
import { Shutdown } from '../../src/service/shutdown.js'

describe('the end of a service', () => {
  test('comes in phases, whatever the order in which its parts began, and what they stand on comes last', async () => {
    const ended: string[] = []
    const shutdown = new Shutdown()
    shutdown.addFoundation(() => void ended.push('the store'))
    shutdown.addFoundation(() => void ended.push('its lease'))
    shutdown.add('recording', () => void ended.push('the trail'))
    shutdown.add('working', reason => void ended.push(`a listener, ${reason}`))
    shutdown.add('working', async () => {
      ended.push('the scheduler')
      await Promise.resolve()
      ended.push('its runs')
    })
    shutdown.add('announcing', () => void ended.push('said'))
    expect(shutdown.hasBegun).toBe(false)
    await shutdown.run('SIGTERM')
    expect(shutdown.hasBegun).toBe(true)
    const working = ['the scheduler', 'a listener, SIGTERM', 'its runs']
    expect(ended).toEqual(['said', ...working, 'the trail', 'its lease', 'the store'])
  })

  test('comes once, for everybody who asks', async () => {
    let ends = 0
    const shutdown = new Shutdown()
    shutdown.add('working', () => void (ends += 1))
    await Promise.all([shutdown.run('SIGTERM'), shutdown.run('SIGINT')])
    expect(ends).toBe(1)
  })

  test('closes what others stand on also where a part fails, and says what failed', async () => {
    const ended: string[] = []
    const shutdown = new Shutdown()
    shutdown.addFoundation(() => void ended.push('the store'))
    shutdown.addFoundation(() => Promise.reject(new Error('the lease')))
    shutdown.add('working', () => Promise.reject(new Error('a listener')))
    await expect(shutdown.run('SIGTERM')).rejects.toThrow('a listener')
    expect(ended).toEqual(['the store'])
  })
})
