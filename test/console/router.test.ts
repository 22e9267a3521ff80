import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONSOLE_PAGES } from '../../src/console/console-pages.js'

test('the service serves the page at the addresses that the console has screens for', () => {
  // As text: the router itself needs a browser.
  const text = readFileSync(new URL('../../console/app/router.tsx', import.meta.url), 'utf8')
  const single = [...text.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path)
  const [, several = ''] = /\[((?:'[^']+'(?:, )?)+)\]\.map\(path =>/.exec(text) ?? []
  const listed = [...several.matchAll(/'([^']+)'/g)].map(([, path]) => path)
  const known = [...single, ...listed].map(path => path?.replaceAll('$', ':'))
  expect(new Set(known)).toEqual(new Set(CONSOLE_PAGES))
})
