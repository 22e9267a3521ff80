import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Case } from '../support/pipeline-cases.js'
import { differences, rules } from '../support/pipeline-rules.js'

// The rules themselves, with what rules/cases.test.ts runs of them: a rule that nothing would notice the breach of is none.

const folder = new URL('cases/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
const rows = (
  await Promise.all(
    files.map(async file => ((await import(new URL(file, folder).href)) as { cases: readonly Case[] }).cases),
  )
).flat()

const all = rules.flatMap(set => set.rules)

test('every rule has a name of its own', () => {
  const names = all.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

test('every row names a rule there is', () => {
  const known = new Set(all.map(({ name }) => name))
  expect(rows.flatMap(({ rule }) => (rule === undefined || known.has(rule) ? [] : [rule]))).toEqual([])
})

test('differences from MongoDB are sentences and name rules there are', () => {
  for (const text of differences) expect(text).toMatch(/\.$/)
  const named = differences.flatMap(text =>
    [...text.matchAll(/\(rules? ([^)]+)\)/g)].flatMap(([, names]) => names!.match(/[^"]+(?="(?:,|$))/g) ?? []),
  )
  expect(named).toHaveLength(4)
  expect(named.filter(name => !all.some(rule => rule.name === name))).toEqual([])
})

test('comments name rules there are', () => {
  const source = new URL('../../src/pipeline/', import.meta.url)
  const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => [...readFileSync(new URL(file, source), 'utf8').matchAll(/\(rules? ((?:"[^"]+"(?: and )?)+)\)/g)])
    .flatMap(([, names]) => [...names!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(name => !all.some(rule => rule.name === name))).toEqual([])
})

describe.each(rules)('$title', set => {
  test.each(set.rules)('$name is said in sentences', ({ says }) => {
    expect(says).toMatch(/\.\)?$/)
  })

  test.each(set.rules)('$name has rows beside its example', ({ name }) => {
    expect(rows.filter(({ rule }) => rule === name)).not.toEqual([])
  })

  test.each(set.rules.filter(({ example }) => 'result' in example))('$name is tried in the engine', ({ name }) => {
    expect(rows.filter(row => row.rule === name && row.wholeInEngine === true)).not.toEqual([])
  })
})
