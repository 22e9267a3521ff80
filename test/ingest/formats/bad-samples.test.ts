import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importingFiles } from '../../support/importing-files.js'

const place = 'examples/formats/Ann Lee'
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

const isTable = (name: string) => name.endsWith('.csv')
const isMail = (name: string) => name.startsWith('email')

describe.each(samples)('$name', ({ name, bytes }) => {
  const text = bytes.toString('utf8')

  it('cut off anywhere is a reason or what was whole', async () => {
    const cuts = [0.1, 0.35, 0.6, 0.85, 0.99].map(share => bytes.subarray(0, Math.trunc(bytes.length * share)))
    const { calls, told } = await beside(Object.fromEntries(cuts.map((cut, index) => [`${index}/${name}`, cut])))
    if (!isTable(name)) expect(told).toBeGreaterThanOrEqual(cuts.length)
    if (name.endsWith('.json')) expect(calls).toEqual([])
  })

  it('in UTF-16 is the same call', async () => {
    const plain = await beside({ [name]: bytes })
    const wide = await beside({ [name]: Buffer.from(`\ufeff${text}`, 'utf16le') })
    expect(wide.errors).toEqual([])
    expect(wide.calls).toEqual(plain.calls)
    for (const id of plain.calls) expect(wide.store.record(id)).toEqual(plain.store.record(id))
  })

  it('in Latin-1 is a reason, but for mail, which says so', async () => {
    const at = bytes.indexOf('Acme')
    if (isMail(name) || at === -1) return
    const { errors, calls } = await beside({
      [name]: Buffer.concat([bytes.subarray(0, at), Buffer.from([0xe9]), bytes.subarray(at)]),
    })
    expect(errors.join('\n')).toMatch(/not UTF-8/)
    expect(calls).toEqual([])
  })

  it('with hostile names is a call or a reason', async () => {
    const hostile = ['__proto__', 'constructor', '\\u0000', '\u202e', 'x'.repeat(5_000), '']
    const files = hostile.map((word, index) => [`${index}/${name}`, text.replaceAll(/Ann Lee|Bo Chen/g, word)])
    expect((await beside(Object.fromEntries(files) as Record<string, string>)).told).toBeGreaterThanOrEqual(
      hostile.length,
    )
  })

  it('with values of another kind is a call or a reason', async () => {
    if (!name.endsWith('.json')) return
    const document = JSON.parse(text) as Record<string, unknown>
    const variants = Object.keys(document).flatMap(field =>
      [7, 'seven', [[1]], { polluted: true }, null].map(wrong => JSON.stringify({ ...document, [field]: wrong })),
    )
    const { told } = await beside(Object.fromEntries(variants.map((variant, index) => [`${index}/${name}`, variant])))
    expect(told).toBeGreaterThanOrEqual(variants.length)
  })

  it('of nothing is nothing', async () => {
    expect((await beside({ [name]: '' })).calls).toEqual([])
    if (!isTable(name)) expect((await beside({ [name]: '\n\n' })).calls).toEqual([])
  })
})
