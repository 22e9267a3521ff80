import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importingFiles } from '../../support/importing-files.js'

const map = ['agent_name="Ann"', 'created_dt="2026-03-01T09:30:00Z"']

const voiced = `WEBVTT - Call 7

NOTE
made by hand

STYLE
::cue { color: white }

1
00:01.000 --> 00:03.500 align:start
<v.loud Sam Reed>Thank you for calling <c.brand>Fleet &amp; Co</c>.

00:03.000 --> 00:00:06.000
<v Kim>Hi. <i>I need</i> a card.</v><v Sam Reed>Sure.</v>
`

const named = `1
00:00:01,000 --> 00:00:03,500
Agent: Thanks for calling.
How can I help?

2
00:00:04,000 --> 00:00:05,000
[Customer] I have a question: why

3
00:00:05,200 --> 00:00:07,000
is it late?

4
00:00:09,500 --> 00:00:10,000
AGENT: One moment.
`

async function turnsOf(name: string, content: string | Uint8Array, agentSpeakers: string[] = []) {
  const { store, errors } = await importingFiles({ [name]: content }, { map, agentSpeakers })
  return { errors, turns: store.ids.map(id => store.record(id))[0]?.transcript, store }
}

describe('WebVTT', () => {
  it('is read by its voice tags, without its other tags', async () => {
    const { store, errors } = await turnsOf('call-7.vtt', voiced)
    expect(errors).toEqual([])
    expect(store.record('call-7')).toMatchObject({
      agent_name: 'Ann',
      channel: 'phone',
      session_metadata: { agent_speaker: 'Sam Reed', agent_speaker_by: 'greeting' },
      transcript: [
        { turn: 0, actor: 'agent', text: 'Thank you for calling Fleet & Co.', start_s: 1, end_s: 3.5 },
        { turn: 1, actor: 'customer', text: 'Hi. I need a card.', start_s: 3, end_s: 6 },
        { turn: 2, actor: 'agent', text: 'Sure.', start_s: 3, end_s: 6 },
      ],
    })
  })

  it('takes the agent’s name from its label', async () => {
    const asked = { map: ['created_dt=@file_time'], agentSpeakers: ['sam reed'], timeZone: 'Europe/Berlin' }
    const { store } = await importingFiles({ 'call 2026-03-01 09.30.vtt': voiced }, asked)
    expect(store.record('call 2026-03-01 09.30')).toMatchObject({
      agent_name: 'Sam Reed',
      created_dt: '2026-03-01T08:30:00.000Z',
      session_metadata: { agent_speaker_by: 'option' },
    })
    expect(store.record('call 2026-03-01 09.30').trust).toBeUndefined()
  })
})

describe('SRT', () => {
  it('is read by the names before what is said, which hold until the next', async () => {
    const { turns, errors } = await turnsOf('a.srt', named)
    expect(errors).toEqual([])
    expect(turns).toMatchObject([
      { actor: 'agent', text: 'Thanks for calling. How can I help?', start_s: 1, end_s: 3.5 },
      { actor: 'customer', text: 'I have a question: why is it late?', start_s: 4, end_s: 7 },
      { actor: 'agent', text: 'One moment.', start_s: 9.5, end_s: 10 },
    ])
  })

  it.each([
    ['a byte-order mark and CRLF', Buffer.from(`\ufeff${named.replaceAll('\n', '\r\n')}`)],
    ['old Mac line ends', Buffer.from(named.replaceAll('\n', '\r'))],
    ['UTF-16', Buffer.from(`\ufeff${named}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${named}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(named, 'utf16le')],
    [
      'cues in any order',
      Buffer.from(named.replace(/^1\n[^]*?\n\n/, '').concat(`\n${named.slice(0, named.indexOf('\n\n'))}`)),
    ],
  ])('is read with %s', async (_, content) => {
    const { turns, errors } = await turnsOf('a.srt', content)
    expect(errors).toEqual([])
    expect(turns).toHaveLength(3)
    expect(turns?.[0]).toMatchObject({ actor: 'agent', start_s: 1 })
  })
})

describe('a name that stands there once', () => {
  const times = (i: number, mark: string) => `00:00:0${i}${mark}000 --> 00:00:0${i}${mark}900`
  const cuesOf = (lines: readonly string[], mark: string) =>
    lines.map((line, i) => `${i + 1}\n${times(i, mark)}\n${line}\n`).join('\n')
  const actors = async (name: string, lines: readonly string[]) => {
    const isVtt = name.endsWith('.vtt')
    const { turns, errors, store } = await turnsOf(
      name,
      `${isVtt ? 'WEBVTT\n\n' : ''}${cuesOf(lines, isVtt ? '.' : ',')}`,
    )
    expect(errors).toEqual([])
    const metadata = store.record(store.ids[0] ?? '').session_metadata
    return { turns: turns?.map(({ actor, text }) => `${actor}: ${text}`), agent: metadata?.['agent_speaker'] }
  }
  const heard = { turns: ['agent: Hello, Fleet.', 'customer: A card, please. A new one.'], agent: 'Ann' }

  it.each(['a.srt', 'a.vtt'])('is who speaks where the file begins with it, as with voice tags: %s', async name => {
    expect(await actors(name, ['Ann: Hello, Fleet.', 'Customer: A card, please.', 'A new one.'])).toEqual(heard)
    const voices = ['<v Ann>Hello, Fleet.', '<v Customer>A card, please.', '<v Customer>A new one.']
    expect(await actors('b.vtt', voices)).toEqual(heard)
  })

  it.each(['a.srt', 'a.vtt'])('is who speaks where every cue begins with one: %s', async name => {
    expect(await actors(name, ['Customer: A card, please.', 'Ann: Hello.', 'Customer: Now.'])).toEqual({
      turns: ['customer: A card, please.', 'agent: Hello.', 'customer: Now.'],
      agent: 'Ann',
    })
    expect(await actors(name, ['Ann: Hello, Fleet.', 'Kim: A card, please.'])).toEqual({
      turns: ['agent: Hello, Fleet.', 'customer: A card, please.'],
      agent: 'Ann',
    })
  })

  it('is part of what is said anywhere else', async () => {
    const lines = ['Agent: Hello.', 'I have to say', 'Note: it is late.', 'Customer: Fine.']
    expect((await actors('a.srt', lines)).turns).toEqual([
      'agent: Hello. I have to say Note: it is late.',
      'customer: Fine.',
    ])
  })
})

describe('subtitles that hold no call', () => {
  it.each([
    [
      'no speakers',
      'WEBVTT\n\n00:01.000 --> 00:02.000\nHello there.\n',
      'a.vtt:1 names no speakers, so who said what is not known: transcribe it with speaker labels (diarization)',
    ],
    [
      'one speaker who could be either',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Kim>So.\n',
      "a.vtt:1 doesn't say which speaker is the agent, and none greets as one: name it with --agent-speaker; it has 1 speakers",
    ],
    [
      'a cue that ends before it starts',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>x\n\n00:09.000 --> 00:02.000\n<v A>y\n',
      'a.vtt:6 is a cue that ends before it starts',
    ],
    [
      'times of another form',
      'WEBVTT\n\n1.0 --> 2.0\n<v A>x\n',
      'a.vtt:3 does not hold the times of a cue, such as 00:00:01.000 --> 00:00:04.000',
    ],
    [
      'an end in the middle',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>x\n\n00:0',
      'a.vtt:6 has no times, such as 00:00:01.000 --> 00:00:04.000: the file was cut off here, or text stands outside of a cue',
    ],
    ['nothing', 'WEBVTT\n', 'a.vtt:1 holds nothing that was said'],
    [
      'bytes that are no text',
      Buffer.concat([Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>'), Buffer.from([0xe4, 0x20])]),
      'a.vtt:1 holds bytes that are not UTF-8: save it as UTF-8',
    ],
    [
      'absurd times',
      'WEBVTT\n\n9000:00:01.000 --> 9000:00:02.000\n<v Agent>x\n',
      'a.vtt:1 ends 32400002 seconds after its start: its times seem to be of another unit',
    ],
  ])('are refused for %s', async (_, content, message) => {
    expect((await turnsOf('a.vtt', content)).errors).toEqual([message])
  })

  it('give a call or a reason, whatever they hold', async () => {
    const line = fc.constantFrom(
      '',
      '00:01.000 --> 00:02.000',
      '00:00:03,000 --> 00:00:04,000',
      'Agent: hi',
      '<v Bo>x</v>',
      '-->',
      'NOTE',
      '7',
      '<v',
      '&amp;',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }), async lines => {
        const { report } = await importingFiles({ 'a.vtt': `WEBVTT\n\n${lines.join('\n')}` }, { map })
        expect(report.stored + report.rejected).toBe(1)
      }),
      { numRuns: 60 },
    )
  })
})
