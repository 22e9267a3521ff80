import { describe, expect, it } from 'vitest'
import { conversationOf } from '../../../src/ingest/formats/conversation/conversation-of.js'
import { joinSpeeches } from '../../../src/ingest/formats/conversation/join-speeches.js'
import type { Role, Speech } from '../../../src/ingest/formats/conversation/speech.js'

const speech = (speaker: string | undefined, role: Role | undefined, start?: number, end?: number): Speech => ({
  speaker,
  role,
  text: `${speaker} at ${start}`,
  start,
  end,
})
function conversation(speeches: readonly Speech[], channel?: string, asked: readonly string[] = []) {
  const made = conversationOf(speeches, asked, channel)
  if ('fault' in made) throw new Error(made.fault)
  const { record, metadata } = made.conversation
  const turns = record['transcript'] as { actor: string; start_s?: number; end_s?: number }[]
  return { record, metadata, actors: turns.map(({ actor }) => actor), starts: turns.map(({ start_s: start }) => start) }
}

describe('who is who', () => {
  it('is what the source says', () => {
    const told = conversation([speech('Bo', 'customer', 0), speech('Ann', 'agent', 1), speech('Ivr', 'system', 2)])
    expect(told.actors).toEqual(['customer', 'agent', 'system'])
    expect(told.record).toMatchObject({ agent_name: 'Ann', customer_display_name: 'Bo' })
    expect(told.metadata).toEqual({ agent_speaker: 'Ann', agent_speaker_by: 'source' })
    expect(told.record['trust']).toBeUndefined()
  })

  it('is a bot for the agent where no person is one', () => {
    expect(conversation([speech('Bo', 'customer', 0), speech('Bot', 'bot', 1)]).actors).toEqual(['customer', 'agent'])
    const both = [speech('Bo', 'customer', 0), speech('Bot', 'bot', 1), speech('Ann', 'agent', 2)]
    expect(conversation(both).actors).toEqual(['customer', 'system', 'agent'])
  })

  it('is what is asked for before all', () => {
    const both = [speech('Bo', 'customer', 0), speech('Ann', 'agent', 1)]
    expect(conversation(both, 'phone', ['Bo']).actors).toEqual(['agent', 'customer'])
  })

  it('is told of a call with one speaker only', () => {
    expect(conversation([speech('Ann', 'agent', 0)]).actors).toEqual(['agent'])
    expect(conversation([speech('Bo', 'customer', 0)]).actors).toEqual(['customer'])
    expect(conversationOf([speech('0', undefined, 0)], [])).toEqual({
      fault: expect.stringMatching(/none greets/) as string,
    })
  })
})

describe('times', () => {
  it('bring what channels said into order, where a piece of one has none', () => {
    const left = [speech('a', 'agent', 0), speech('a', 'agent'), speech('a', 'agent', 10)]
    const right = [speech('c', 'customer', 1), speech('c', 'customer', 11)]
    expect(conversation([...left, ...right]).starts).toEqual([0, undefined, 1, 10, 11])
  })

  it('out of order are put in order', () => {
    const told = conversation([speech('A', 'agent', 5, 6), speech('B', 'customer', 1, 2), speech('A', 'agent', 3, 4)])
    expect(told.starts).toEqual([1, 3, 5])
  })

  it('that overlap stay as they are', () => {
    const told = conversation([speech('A', 'agent', 0, 4), speech('B', 'customer', 2, 3)])
    expect(told.record['transcript']).toMatchObject([
      { start_s: 0, end_s: 4 },
      { start_s: 2, end_s: 3 },
    ])
  })

  it('of days are those of what is written, and of nothing spoken', () => {
    const days = [speech('B', 'customer', 0), speech('A', 'agent', 3 * 86_400)]
    expect(conversation(days, 'email').starts).toEqual([0, 3 * 86_400])
    expect(() => conversation(days, 'phone')).toThrow(/of another unit/)
    expect(conversation([speech('B', 'customer', 0), speech('A', 'agent', 2e7)], 'email').starts).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe('pieces', () => {
  it('are joined with their punctuation, whoever is said to speak it', () => {
    const piece = (text: string, speaker: string | undefined, start?: number) => ({ speaker, text, start, end: start })
    const joined = joinSpeeches([
      piece('Hello', 'S1', 0),
      { ...piece(',', undefined), attached: true },
      piece('Acme', 'S1', 1),
      { ...piece('.', undefined), attached: true },
      piece('Hi', 'S2', 2),
    ])
    expect(joined.map(({ text }) => text)).toEqual(['Hello, Acme.', 'Hi'])
  })
})
