import { describe, expect, it } from 'vitest'
import { importingFiles } from '../../support/importing-files.js'

// Made by hand after the example of the administrator's guide.
const output = {
  Version: '1.1.0',
  AccountId: '123456789012',
  Channel: 'VOICE',
  ContentMetadata: { Output: 'Raw' },
  JobStatus: 'COMPLETED',
  LanguageCode: 'en-US',
  Participants: [
    { ParticipantId: '11111111-aaaa-4c21-9745-000000000001', ParticipantRole: 'CUSTOMER' },
    { ParticipantId: '22222222-bbbb-4996-8d8e-000000000002', ParticipantRole: 'SYSTEM' },
    { ParticipantId: '33333333-cccc-4fd4-89fb-000000000003', ParticipantRole: 'AGENT' },
  ],
  Categories: { MatchedCategories: ['Cancellation'], MatchedDetails: {} },
  ConversationCharacteristics: {
    ContactSummary: { PostContactSummary: { Content: 'The customer cancels.' } },
    TotalConversationDurationMillis: 12_000,
    Sentiment: { OverallSentiment: { AGENT: 0, CUSTOMER: 3.1 } },
    Interruptions: { InterruptionsByInterrupter: {}, TotalCount: 1, TotalTimeMillis: 300 },
    NonTalkTime: { TotalTimeMillis: 3000, Instances: [] },
    TalkTime: {
      TotalTimeMillis: 8000,
      DetailsByParticipant: { AGENT: { TotalTimeMillis: 6000 }, CUSTOMER: { TotalTimeMillis: 2000 } },
    },
  },
  CustomerMetadata: { ContactId: 'c0ffee00-0000-4000-8000-000000000001', InstanceId: 'i-1' },
  Transcript: [
    {
      BeginOffsetMillis: 0,
      Content: 'Okay.',
      EndOffsetMillis: 90,
      Id: 't1',
      ParticipantId: '33333333-cccc-4fd4-89fb-000000000003',
      Sentiment: 'NEUTRAL',
      LoudnessScore: [79.27],
    },
    {
      BeginOffsetMillis: 1160,
      Content: 'Hi, I want to cancel.',
      EndOffsetMillis: 4100,
      Id: 't2',
      ParticipantId: '11111111-aaaa-4c21-9745-000000000001',
      Sentiment: 'NEGATIVE',
    },
  ],
}
const given = { map: ['agent_name=@folder', 'created_dt=@file_time'] }

describe('Contact Lens output', () => {
  it('becomes a call, its roles told by the participants', async () => {
    const { store, errors } = await importingFiles(
      { 'Ann Lee/c0ffee00_analysis_2026-03-01T09:30:00Z.json': output },
      given,
    )
    expect(errors).toEqual([])
    expect(store.record('c0ffee00-0000-4000-8000-000000000001')).toEqual({
      session_id: 'c0ffee00-0000-4000-8000-000000000001',
      agent_id: 'ann-lee',
      agent_name: 'Ann Lee',
      created_dt: '2026-03-01T09:30:00.000Z',
      channel: 'phone',
      language_primary: 'en-US',
      talk_patterns: { total_duration_s: 12, interruption_count: 1, talk_time_ratio: 0.75, silence_ratio: 0.25 },
      session_metadata: {
        account_id: '123456789012',
        instance_id: 'i-1',
        categories: ['Cancellation'],
        contact_summary: 'The customer cancels.',
        audio_length_seconds: 12,
        agent_speaker: 'AGENT',
        agent_speaker_by: 'source',
      },
      transcript: [
        { turn: 0, actor: 'agent', text: 'Okay.', start_s: 0, end_s: 0.09 },
        { turn: 1, actor: 'customer', text: 'Hi, I want to cancel.', start_s: 1.16, end_s: 4.1 },
      ],
    })
  })

  it('takes the time of a chat from its messages', async () => {
    const chat = {
      ...output,
      Channel: 'CHAT',
      ConversationCharacteristics: {},
      Transcript: [
        {
          AbsoluteTime: '2026-03-01T10:00:00.000Z',
          Content: 'Hello',
          Id: 'a',
          ParticipantId: output.Participants[2]!.ParticipantId,
        },
        {
          AbsoluteTime: '2026-03-01T10:00:07.500Z',
          Content: 'Hi',
          Id: 'b',
          ParticipantId: output.Participants[0]!.ParticipantId,
        },
      ],
    }
    const { store } = await importingFiles({ 'chat.json': chat }, { map: ['agent_name="Ann"'] })
    expect(store.record('c0ffee00-0000-4000-8000-000000000001')).toMatchObject({
      created_dt: '2026-03-01T10:00:00.000Z',
      channel: 'chat',
      transcript: [
        { actor: 'agent', start_s: 0 },
        { actor: 'customer', start_s: 7.5 },
      ],
    })
  })

  it('says what it lacks and how to give it', async () => {
    const { errors } = await importingFiles({ 'a.json': output })
    expect(errors).toEqual([expect.stringMatching(/^a\.json:1 agent_name is missing: .*--map agent_name=/)])
  })

  it.each([
    ['failed', { ...output, JobStatus: 'FAILED' }, /analysis that was not completed/],
    [
      'wrong',
      { ...output, Transcript: [{ ParticipantId: 7, Content: 'x' }] },
      /Transcript\[0\]\.ParticipantId must be text \(read as contact-lens\)/,
    ],
    ['of nobody', { ...output, Transcript: [{ Content: 'x' }] }, /names no speakers, so who said what is not known/],
    ['silent', { ...output, Transcript: [] }, /holds nothing that was said/],
    ['cut off', JSON.stringify(output).slice(0, -40), /ends too early/],
    [
      'absurdly long',
      { ...output, Transcript: [{ ...output.Transcript[0], EndOffsetMillis: 9e9 }] },
      /of another unit/,
    ],
  ])('refuses output that is %s', async (_, content, message) => {
    const { errors, report } = await importingFiles({ 'a.json': content }, given)
    expect(report).toMatchObject({ received: 1, stored: 0, rejected: 1 })
    expect(errors[0]).toMatch(message)
  })
})
