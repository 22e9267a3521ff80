import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { caseKinds, caseTables } from '../support/case-tables.js'
import { isReadByMingo, mingoDiffers } from '../support/second-reader.js'

/**
 * mingo as another reader of the case tables. Where it reads a row otherwise than the row says, the row stands in
 * mingo-differences.txt with what mingo gives. A new row there is to be looked up in MongoDB's manual or tests; of those that
 * stand there only some have been.
 * `npx vitest run test/pipeline/second-reader.test.ts -u` writes the list anew.
 */
test('mingo reads the case tables as they say, but for what is known', async () => {
  let read = 0
  const differing: string[] = []
  for (const { file, cases } of (await Promise.all(caseKinds().map(caseTables))).flat()) {
    const rows = cases.filter(isReadByMingo)
    read += rows.length
    const found = rows.flatMap(one => {
      const difference = mingoDiffers(one)
      return difference === undefined ? [] : [`  ${one.name}: ${difference.slice(0, 160)}`]
    })
    if (found.length > 0) differing.push(file, ...found.toSorted())
  }
  const count = differing.filter(line => line.startsWith('  ')).length
  const text = [`mingo 7.2.6 reads ${read - count} of ${read} rows as they say; the others:`, ...differing, ''].join(
    '\n',
  )
  // mingo reads patterns as JavaScript does, of which newer versions know more: there nothing may differ that is not known.
  const known = readFileSync(new URL('mingo-differences.txt', import.meta.url), 'utf8')
  const isNewer = !process.version.startsWith('v20.') && differing.every(line => known.split('\n').includes(line))
  await expect(isNewer ? known : text).toMatchFileSnapshot('./mingo-differences.txt')
})
