import { describe, expect, test } from 'vitest'
import { isRoomy, memoryDefaults, memoryFault, memoryNeed, memoryNote } from '../../src/config/memory.js'

const MiB = 1024 ** 2
const inMiB = ({ memoryLimit, evaluationMemory }: ReturnType<typeof memoryDefaults>) => [
  memoryLimit / MiB,
  evaluationMemory / MiB,
]

describe('memory that is not set', () => {
  test.each([
    [64 * 1024, 768, 256],
    [1536, 768, 256],
    [1024, 460, 154],
    [768, 307, 102],
    [512, 153, 51],
    [384, 128, 32],
    [64, 128, 32],
  ])('of %i MiB there are the engine takes %i and a thread of evaluated stages %i', (there, engine, evaluation) => {
    expect(inMiB(memoryDefaults(there * MiB))).toEqual([engine, evaluation])
  })

  test.each([
    [1536, true],
    [1535, false],
  ])('of %i MiB, whether some may be taken for speed: %s', (there, roomy) => {
    expect(isRoomy(memoryDefaults(there * MiB))).toBe(roomy)
  })

  test('fits wherever it can, and is said where it is less than usual', () => {
    for (let there = 448; there < 4096; there += 1) {
      const settings = memoryDefaults(there * MiB)
      expect(memoryNeed(settings)).toBeLessThanOrEqual(there * MiB)
      expect(memoryFault(settings, there * MiB)).toBeUndefined()
      expect(memoryNote(settings, there * MiB) === undefined).toBe(there >= 1536)
    }
    expect(memoryNote(memoryDefaults(512 * MiB), 512 * MiB)).toBe(
      'The process may have 512MiB: the engine is given 153MiB of it and evaluated stages 51MiB each',
    )
  })
})

describe('memory that does not fit', () => {
  const usual = memoryDefaults(64 * 1024 * MiB)

  test('is told with settings that would', () => {
    expect(memoryFault(usual, 512 * MiB)).toEqual({
      found:
        'The process may have 512MiB and needs 1536MiB with EARSHOT_MEMORY_LIMIT=768MiB and EARSHOT_EVALUATION_MEMORY=256MiB: the system may kill it',
      advice:
        'Set EARSHOT_MEMORY_LIMIT to 153MiB and EARSHOT_EVALUATION_MEMORY to 51MiB, as they are when they are not set, or give the process 1536MiB',
    })
    expect(memoryNote(usual, 512 * MiB)).toBeUndefined()
  })

  test('is told also where nothing fits', () => {
    expect(memoryFault(memoryDefaults(256 * MiB), 256 * MiB)?.advice).toBe(
      'It takes 448MiB at least, with EARSHOT_MEMORY_LIMIT=128MiB and EARSHOT_EVALUATION_MEMORY=32MiB',
    )
  })
})
