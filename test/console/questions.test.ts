import { expect, test } from 'vitest'
import { PATHS } from '../../console/client/questions.js'
import { toolOperations } from '../../src/operations/ask-questions.js'

test('the console asks each question where the service answers it', () => {
  const served = new Map(Object.entries(toolOperations).map(([name, { url }]) => [name, url]))
  for (const [name, path] of Object.entries(PATHS)) expect([name, path]).toEqual([name, served.get(name)])
})
