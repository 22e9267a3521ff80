import { expect, test } from 'vitest'
import { isSmall } from '../../src/rest/is-small.js'

test.each([
  [{ length: 200_000, encoding: 'identity' }, true],
  [{ length: 300_000, encoding: 'identity' }, false],
  [{ length: undefined, encoding: 'identity' }, false],
  [{ length: 10_000, encoding: 'gzip' }, true],
  // Fourteen thousand calls may lie in this, for which the thread that answers everyone has no time.
  [{ length: 200_000, encoding: 'gzip' }, false],
])('an upload of %j is small: %s', (upload, small) => {
  expect(isSmall(upload)).toBe(small)
})
