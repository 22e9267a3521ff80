import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accumulators } from '../../src/pipeline/accumulators/accumulators.js'
import { expressionOperators } from '../../src/pipeline/expressions/expression-operators.js'
import { evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { readLiteral } from '../../src/pipeline/extended-json.js'
import { matchOperators } from '../../src/pipeline/match/match-operators.js'
import { meant } from '../../src/pipeline/meant.js'
import type { OperatorDoc } from '../../src/pipeline/operator-doc.js'
import { stageDefinitions } from '../../src/pipeline/stages/stage-definitions.js'
import type { Document } from '../../src/pipeline/value.js'
import { windowFunctions } from '../../src/pipeline/windows/window-functions.js'
import { NOW } from '../support/call-engine.js'
import { comparable } from '../support/pipeline-cases.js'

interface Definition {
  readonly name: string
  readonly doc: OperatorDoc
}

/** An operator, or a list of them: what a file of the language exports. */
const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' &&
  value !== null &&
  'parse' in value &&
  'name' in value &&
  typeof value.name === 'string' &&
  value.name.startsWith('$')

/** The file of an operator: `$addFields` is add-fields. */
const fileOf = (name: string) => name.slice(1).replaceAll(/[A-Z]+/g, letters => `-${letters.toLowerCase()}`)

const source = new URL('../../src/pipeline/', import.meta.url)
const cases = new URL('cases/', import.meta.url)

const registries = [
  { folder: 'stages', definitions: stageDefinitions },
  { folder: 'match', definitions: matchOperators },
  { folder: 'windows', definitions: windowFunctions },
  { folder: 'accumulators', definitions: accumulators },
  { folder: 'expressions', definitions: expressionOperators },
] as const satisfies readonly { folder: string; definitions: readonly Definition[] }[]

/** Every operator that some file of a folder exports, with its file. */
async function exported(folder: string) {
  const files = readdirSync(new URL(`${folder}/`, source), { recursive: true, encoding: 'utf8' })
  const modules = await Promise.all(
    files
      .filter(file => file.endsWith('.ts'))
      .map(async file => ({
        file,
        values: Object.values((await import(new URL(`${folder}/${file}`, source).href)) as Record<string, unknown>),
      })),
  )
  return modules.flatMap(({ file, values }) => values.filter(isDefinition).map(definition => ({ file, definition })))
}

/** Its case table, where its file stands: cases/stages/group.ts, cases/expressions/date/year.ts or cases/date/year.ts. */
function hasCases(folder: string, file: string): boolean {
  const path = folder === 'expressions' ? file : `${folder}/${file}`
  return existsSync(new URL(path, cases)) || existsSync(new URL(`${folder}/${file}`, cases))
}

test('every folder of case tables has tests that run them', () => {
  const kinds = readdirSync(cases)
  const tested = kinds.filter(kind => existsSync(new URL(`${kind}/cases.test.ts`, import.meta.url)))
  expect(tested).toEqual(kinds)
})

describe.each(registries)('$folder', ({ folder, definitions }) => {
  test('every operator of a file is in the registry, and has a file named like it', async () => {
    const found = await exported(folder)
    const named = found.map(({ definition }) => definition.name)
    expect(named.filter(name => !definitions.some(one => one.name === name))).toEqual([])
    const misplaced = found.filter(({ file, definition }) => !file.endsWith(`${fileOf(definition.name)}.ts`))
    expect(misplaced.map(({ file }) => file)).toEqual([])
  })

  test('every name is there once', () => {
    const names = definitions.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  test('every operator has a case table', async () => {
    const found = await exported(folder)
    expect(found.filter(({ file }) => !hasCases(folder, file)).map(({ file }) => file)).toEqual([])
  })

  test.each([...definitions])('$name is documented, and its example gives its result', ({ doc }) => {
    expect(doc.form).toMatch(/\$/)
    expect(doc.meaning).toMatch(/\.$/)
    const { documents, pipeline, result } = doc.example
    const given = documents.map(document => readLiteral(document, 'documents') as Document)
    expect(comparable(evaluate(parsePipeline(pipeline, { now: NOW }), given), false)).toEqual(comparable(result, false))
  })
})

describe('what stands only in some places is told where it belongs', () => {
  const expressions = new Set(expressionOperators.map(({ name }) => name))
  const elsewhere = [...accumulators, ...windowFunctions, ...matchOperators].map(({ name }) => name)
  test.each([...new Set(elsewhere)].filter(name => !expressions.has(name) && !name.startsWith('$bits')))(
    '%s as an expression',
    name => {
      expect(() => parsePipeline([{ $project: { a: { [name]: 1 } } }])).toThrow(
        `The operator "${name}" is no expression`,
      )
    },
  )
})

test('every name that other languages have leads to one of ours', () => {
  const known = new Set(registries.flatMap(({ definitions }) => definitions.map(({ name }) => name)))
  for (const [name, ours] of meant) {
    expect(known).not.toContain(name)
    for (const one of ours) expect(known).toContain(one)
  }
})
