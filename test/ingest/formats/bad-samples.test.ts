import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importingFiles } from '../../support/importing-files.js'

const place = 'examples/formats'
const samples = readdirSync(place).map(name => ({ name, bytes: readFileSync(join(place, name)) }))
const map = ['agent_name?="Ann Lee"', 'created_dt?="2026-03-02T09:30:00Z"']

const good = {
  session_id: 'beside',
  agent_name: 'Ann Lee',
  created_dt: '2026-03-02T09:30:00Z',
  transcript: [{ turn: 0, actor: 'agent', text: 'Hello.' }],
}

/** Imports files beside a good one, which is kept whatever becomes of the others. */
async function beside(files: Readonly<Record<string, string | Uint8Array>>) {
  const { store, errors, report } = await importingFiles({ ...files, 'z.json': good }, { map })
  expect(store.ids).toContain('beside')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  // Several of a file's variants may be one call, the last of which counts.
  const told = store.ids.length - 1 + errors.length + report.skipped_files + report.duplicates
  return { store, errors, told, calls: store.ids.filter(id => id !== 'beside') }
}

/** Of a table cut behind its header nothing is left to tell of. */
const others = samples.filter(({ name }) => !name.endsWith('.csv'))
const ofJson = samples.filter(({ name }) => name.endsWith('.json'))
/** Mail says how it is encoded, and some samples hold no word that could be. */
const ofUtf8 = samples.filter(({ name, bytes }) => !name.startsWith('email') && bytes.includes('Acme'))

function cutsOf({ name, bytes }: (typeof samples)[number]) {
  const cuts = [0.1, 0.35, 0.6, 0.85, 0.99].map(share => bytes.subarray(0, Math.trunc(bytes.length * share)))
  return Object.fromEntries(cuts.map((cut, index) => [`${index}/${name}`, cut]))
}

describe('a file cut off anywhere', () => {
  it.each(others)('is a reason or what was whole: $name', async sample => {
    const cuts = cutsOf(sample)
    expect((await beside(cuts)).told).toBeGreaterThanOrEqual(Object.keys(cuts).length)
  })

  it.each(ofJson)('is no call where it is JSON: $name', async sample => {
    expect((await beside(cutsOf(sample))).calls).toEqual([])
  })
})

describe('a file in another encoding', () => {
  it.each(samples)('is the same call in UTF-16: $name', async ({ name, bytes }) => {
    const plain = await beside({ [name]: bytes })
    const wide = await beside({ [name]: Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le') })
    expect(wide.errors).toEqual([])
    expect(wide.calls.map(id => wide.store.record(id))).toEqual(plain.calls.map(id => plain.store.record(id)))
  })

  it.each(ofUtf8)('is a reason in Latin-1: $name', async ({ name, bytes }) => {
    const at = bytes.indexOf('Acme')
    const latin = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xe9]), bytes.subarray(at)])
    const { errors, calls } = await beside({ [name]: latin })
    expect(errors.join('\n')).toMatch(/not UTF-8/)
    expect(calls).toEqual([])
  })
})

describe('a file of anything', () => {
  it.each(samples)('is a call or a reason with hostile names: $name', async ({ name, bytes }) => {
    const hostile = ['__proto__', 'constructor', '\\u0000', '\u202e', 'x'.repeat(5_000), '']
    const text = bytes.toString('utf8')
    const files = hostile.map((word, index) => [`${index}/${name}`, text.replaceAll(/Ann Lee|Bo Chen/g, word)] as const)
    expect((await beside(Object.fromEntries(files))).told).toBeGreaterThanOrEqual(hostile.length)
  })

  it.each(ofJson)('is a call or a reason with values of another kind: $name', async ({ name, bytes }) => {
    const document = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
    const variants = Object.keys(document).flatMap(field =>
      [7, 'seven', [[1]], { polluted: true }, null].map(wrong => JSON.stringify({ ...document, [field]: wrong })),
    )
    const { told } = await beside(Object.fromEntries(variants.map((variant, index) => [`${index}/${name}`, variant])))
    expect(told).toBeGreaterThanOrEqual(variants.length)
  })

  it.each(others)('is nothing of nothing: $name', async ({ name }) => {
    expect((await beside({ [name]: '' })).calls).toEqual([])
    expect((await beside({ [name]: '\n\n' })).calls).toEqual([])
  })
})
