import { beforeEach, describe, expect, it } from 'vitest'
import type { Catalogs } from '../../src/calls/catalogs.js'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { readingIn } from '../../src/evaluation/rubric/read-rubric.js'
import { Rubrics } from '../../src/evaluation/rubrics.js'
import type { RubricRecord, RubricStore } from '../../src/store/rubric-store.js'
import { threadsHere } from '../support/threads-here.js'

const text = `name: own
title: Own
language: en
dimensions: [{ key: opening, name: Opening, weight: 1 }]
signals:
  - key: sig.greeting_given
    name: Said hello
    description: The agent says hello.
    category: opening
    weight: 1
    present: { say: { by: agent, any: [hello] } }
  - key: sig.own
    name: Own
    description: Something of our own.
    category: context
    present: { say: { by: agent, any: [own] } }
`

class Shelf implements RubricStore {
  readonly records: RubricRecord[] = []

  async add(record: RubricRecord): Promise<void> {
    this.records.push(structuredClone(record))
  }

  async all(): Promise<readonly RubricRecord[]> {
    return this.records
  }
}

const read = readingIn(threadsHere)

/** Without the signals that calls evaluated otherwise may show, and projects may choose. */
const activeOf = ({ signals, guidance }: Catalogs): Catalogs => ({
  signals: new Map([...signals].filter(([, { active }]) => active)),
  guidance,
})

let shelf: Shelf
let rubrics: Rubrics
beforeEach(async () => {
  shelf = new Shelf()
  rubrics = await Rubrics.load({ store: shelf, read, clock: () => Date.parse('2026-03-01T12:00:00Z') })
})

describe("a project's rubric", () => {
  it('is the default one until one is set', async () => {
    expect(await rubrics.of('p')).toMatchObject({
      source: 'built-in',
      version: defaultRubric.version,
      rubric: { name: 'support-calls' },
    })
    expect(await rubrics.versions('p')).toEqual([])
    expect(activeOf(await rubrics.catalogs('p'))).toEqual(builtInCatalogs)
  })

  it('keeps every version it ever had, over a restart too', async () => {
    await rubrics.set('p', { text }, 'ada')
    await rubrics.set('p', { text: `${text}# changed\n` }, 'ben')
    const again = await Rubrics.load({ store: shelf, read })
    expect((await again.versions('p')).map(({ version, set_by }) => [version, set_by])).toEqual([
      ['project-1', 'ada'],
      ['project-2', 'ben'],
    ])
    expect(await again.of('p')).toMatchObject({ version: 'project-2', text: `${text}# changed\n`, source: 'project' })
    expect((await again.version('p', 'project-1')).text).toBe(text)
    // The one before it set any is not lost either.
    for (const version of ['built-in', defaultRubric.version]) {
      expect(await again.version('p', version)).toMatchObject({ source: 'built-in', version: defaultRubric.version })
    }
    // As evaluations keep it.
    expect((await again.version('p', 'project-1+3f9a1c0b22de')).text).toBe(text)
    expect((await again.of('other')).source).toBe('built-in')
    await expect(again.version('p', 'project-3')).rejects.toThrow('Rubric version not found: "project-3"')
  })

  it('may be changes over a built-in one, which it follows to another version of the program', async () => {
    const own = 'extends: support-calls\nname: own\nlists: { greeting: { add: [ahoy], remove: [howdy] } }\n'
    const { rubric } = await rubrics.set('p', { text: own }, 'ada')
    expect(rubric.lists['greeting']).toContain('ahoy')
    expect(rubric.lists['greeting']).not.toContain('howdy')
    expect(rubric.signals).toEqual(defaultRubric.rubric.signals)
    expect((await rubrics.of('p')).text).toBe(own)
    // As if the program had a phrase no more.
    const gone = own.replace('howdy', 'what ho')
    await expect(rubrics.set('p', { text: gone }, 'ada')).rejects.toThrow(
      'removes what support-calls has not: "what ho"',
    )
    shelf.records[0] = { ...shelf.records[0]!, text: gone }
    const again = await Rubrics.load({ store: shelf, read })
    expect((await again.of('p')).rubric.lists['greeting']).toContain('howdy')
  })

  it('is no new version when it is set again as it is', async () => {
    await rubrics.set('p', { text }, 'ada')
    expect((await rubrics.set('p', { text }, 'ben')).version).toBe('project-1')
    expect(shelf.records).toHaveLength(1)
  })

  it('can go back to a built-in one', async () => {
    await rubrics.set('p', { text }, 'ada')
    expect(await rubrics.set('p', { built_in: 'support-calls' }, 'ada')).toMatchObject({
      version: defaultRubric.version,
      source: 'built-in',
    })
    await expect(rubrics.set('p', { built_in: 'other' }, 'ada')).rejects.toThrow('There is no built-in rubric "other"')
  })

  it('is refused when it is wrong, and what was set stays', async () => {
    await rubrics.set('p', { text }, 'ada')
    await expect(rubrics.set('p', { text: 'name: x' }, 'ada')).rejects.toThrow('Line 1, column 1')
    expect((await rubrics.of('p')).version).toBe('project-1')
  })

  it('that this program cannot read any more is told, and its project still has catalogs', async () => {
    shelf.records.push({ project_id: 'p', version: 1, text: 'name: old', set_at: 'x', set_by: 'ada' })
    const again = await Rubrics.load({ store: shelf, read })
    await expect(again.of('p')).rejects.toThrow("can't be read by this program any more")
    expect(activeOf(await again.catalogs('p'))).toEqual(builtInCatalogs)
  })

  it('is kept and shown as it was given where this program cannot read it any more, and the readable ones beside it', async () => {
    const set = { project_id: 'p', set_at: 'x', set_by: 'ada' }
    shelf.records.push({ ...set, version: 1, text: 'name: old' }, { ...set, version: 2, built_in: 'gone' })
    shelf.records.push({ ...set, version: 3, text })
    const again = await Rubrics.load({ store: shelf, read })
    expect((await again.of('p')).version).toBe('project-3')
    expect(await again.versions('p')).toMatchObject([
      {
        version: 'project-1',
        source: 'project',
        text: 'name: old',
        set_by: 'ada',
        unreadable: expect.stringMatching(/version 1\) can't be read by this program any more\. Line 1/),
      },
      { version: 'project-2', source: 'built-in', built_in: 'gone', unreadable: expect.stringContaining('"gone"') },
      { version: 'project-3', rubric: { name: 'own' } },
    ])
    expect(await again.version('p', 'project-1')).toMatchObject({ text: 'name: old' })
  })

  it('is taken over from elsewhere as it was there, readable or not, so that versions keep their numbers', async () => {
    expect(await rubrics.restore('p', { text: 'name: old' }, 'ada')).toMatchObject({
      version: 'project-1',
      unreadable: expect.stringContaining('Line 1'),
    })
    expect(await rubrics.restore('p', { built_in: 'gone' }, 'ada')).toHaveProperty('unreadable')
    expect(await rubrics.restore('p', { text }, 'ada')).toMatchObject({ version: 'project-3', text })
    expect((await rubrics.restore('p', { text }, 'ada')).version).toBe('project-3')
    expect(await (await Rubrics.load({ store: shelf, read })).of('p')).toMatchObject({ version: 'project-3' })
  })

  it('is the catalog of its project; built-in entries it leaves out are there, but not active', async () => {
    await rubrics.set('p', { text }, 'ada')
    const { signals } = await rubrics.catalogs('p')
    expect([...signals.keys()].slice(0, 2)).toEqual(['sig.greeting_given', 'sig.own'])
    expect(signals.get('sig.greeting_given')).toMatchObject({ display_name: 'Said hello', active: true })
    expect(signals.get('sig.closing_courtesy')).toMatchObject({ display_name: 'Courteous closing', active: false })
  })

  it('is set in turn, also by two at once', async () => {
    await Promise.all([rubrics.set('p', { text }, 'a'), rubrics.set('p', { text: `${text}#\n` }, 'b')])
    expect(shelf.records.map(({ version }) => version)).toEqual([1, 2])
  })
})
