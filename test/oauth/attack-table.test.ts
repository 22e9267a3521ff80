import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* docs/security.md says of each attack on signing in which test tries it: those tests are there. */

const page = readFileSync('docs/security.md', 'utf8')
const [, section = ''] = page.split('## Attacks on signing in\n')
const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (?!Attack |-)(.+?) +\| (.+?) +\|$/gm)]
const written = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => ({ file: `test/${file}`, text: readFileSync(`test/${file}`, 'utf8') }))

test('the table has a row for each', () => {
  expect(rows.length).toBeGreaterThan(20)
})

test.each(rows.map(([, attack = '', tests = '']) => [attack, tests] as const))('%s', (_attack, tests) => {
  let text = ''
  for (const part of tests.split(/(?=`[^`]+\.ts`)/)) {
    const file = /^`([^`]+)`/.exec(part)?.[1]
    if (file !== undefined) text = written.find(one => `/${one.file}`.endsWith(`/${file}`))?.text ?? ''
    expect(text, `${file ?? ''} is a file of tests`).not.toBe('')
    for (const [, name = ''] of part.matchAll(/_([^_]+)_/g)) {
      for (const words of name.split(/ ?… ?/)) expect(text, `a test ${name}`).toContain(words)
    }
  }
})
