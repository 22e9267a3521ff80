import { type Rubric, type RubricInput, rubric } from '../rubric.js'
import type { Rule } from '../rule.js'
import { sharedPhrases } from './shared-phrases.js'
import { all, any, is, not } from './rules.js'
import { supportDrivers } from './support-drivers.js'
import { supportGuidance } from './support-guidance.js'
import { supportPhrases } from './support-phrases.js'
import { supportSignals } from './support-signals.js'

const silent: Rule = { gap: { at_least_s: 10, unless: { by: 'agent', any: ['$hold'], turns: 3 } } }
const verySilent: Rule = { gap: { at_least_s: 15, unless: { by: 'agent', any: ['$hold'], turns: 3 } } }

/** The default rubric. Its weights lean on published QA scorecards; they are the operator's to change. */
const supportCallsInput: RubricInput = {
  name: 'support-calls',
  title: 'Support calls',
  language: 'en',
  dimensions: [
    { key: 'opening', name: 'Opening', weight: 10 },
    { key: 'listening', name: 'Listening', weight: 20 },
    { key: 'process', name: 'Process', weight: 15 },
    { key: 'courtesy', name: 'Courtesy', weight: 20 },
    { key: 'resolution', name: 'Resolution', weight: 25 },
    { key: 'closing', name: 'Closing', weight: 10 },
  ],
  caps: [
    { key: 'refused', most: 3, when: is('resolution_stated', 'absent'), reason: 'the matter was refused' },
    { key: 'rude', most: 1, when: is('agent_rude'), reason: 'the agent was rude' },
    {
      key: 'identity_skipped',
      most: 3,
      when: is('identity_verified', 'absent'),
      reason: 'identity was not verified',
      // For projects that demand it.
      active: false,
    },
  ],
  csat: {
    start: 3.2,
    parts: [
      { key: 'resolved', add: 0.8, when: is('resolution_stated'), side: 'customer', reason: 'resolved' },
      { key: 'refused', add: -1, when: is('resolution_stated', 'absent'), side: 'customer', reason: 'refused' },
      { key: 'confirms', add: 0.6, when: is('customer_confirms'), side: 'customer', reason: 'the customer confirms' },
      {
        key: 'no_confirmation',
        add: -0.2,
        when: not(is('customer_confirms')),
        side: 'customer',
        reason: 'the customer does not confirm',
      },
      { key: 'greeting', add: 0.1, when: is('greeting_given'), side: 'agent', reason: 'greeted' },
      { key: 'closing', add: 0.2, when: is('closing_courtesy'), side: 'agent', reason: 'courteous goodbye' },
      { key: 'willing', add: 0.2, when: is('willingness_shown'), side: 'agent', reason: 'glad to help' },
      { key: 'gap_10', add: -0.6, when: all(silent, not(verySilent)), side: 'agent', reason: 'a gap of 10 s' },
      { key: 'gap_15', add: -1.2, when: verySilent, side: 'agent', reason: 'a gap of 15 s' },
      {
        key: 'silence_20',
        add: -0.3,
        when: { silence: { gaps_of_s: 5, at_least: 0.2, below: 0.3 } },
        side: 'agent',
        reason: 'long gaps fill a fifth of the call',
      },
      {
        key: 'silence_30',
        add: -0.8,
        when: { silence: { gaps_of_s: 5, at_least: 0.3 } },
        side: 'agent',
        reason: 'long gaps fill three tenths of the call',
      },
      {
        key: 'repeats',
        add: -0.2,
        when: { say: { by: 'agent', any: ['$repeat_please'], not: ['$not_repeat_please'] } },
        side: 'agent',
        each: { beyond: 1 },
        reason: 'asked to repeat once more',
      },
      // What caps the score: nobody goes well pleased.
      { key: 'rude', add: -2, when: is('agent_rude'), side: 'customer', reason: 'treated rudely' },
      {
        key: 'identity_skipped',
        add: -0.5,
        when: is('identity_verified', 'absent'),
        side: 'agent',
        reason: 'identity was not verified',
        // As the cap.
        active: false,
      },
      { key: 'frustrated', add: -1.2, when: is('customer_frustrated'), side: 'customer', reason: 'frustrated' },
      { key: 'interrupted', add: -0.2, when: is('agent_interrupts'), side: 'agent', reason: 'interrupted' },
      {
        key: 'no_empathy',
        add: -0.1,
        when: is('empathy_shown', 'absent'),
        side: 'agent',
        reason: 'trouble without empathy',
      },
    ],
  },
  readings: [
    {
      key: 'intent_clarity',
      values: [
        { value: 'high', when: is('reason_captured') },
        { value: 'low', when: is('reason_captured', 'absent') },
      ],
    },
    {
      key: 'customer_effort',
      values: [
        { value: 'high', when: any(is('repeat_contact'), is('escalation')) },
        { value: 'medium', when: any(is('repeat_requested'), is('hold_requested')) },
        { value: 'low' },
      ],
    },
    {
      key: 'resolution',
      values: [
        { value: 'resolved', when: is('resolution_stated') },
        { value: 'refused', when: is('resolution_stated', 'absent') },
        { value: 'unclear' },
      ],
    },
    {
      key: 'sentiment',
      values: [
        { value: 'negative', when: is('customer_frustrated') },
        { value: 'positive', when: is('customer_confirms') },
        { value: 'neutral' },
      ],
    },
  ],
  holds: ['$hold'],
  backchannels: ['$backchannel'],
  drivers: { turns: 4, table: [...supportDrivers] },
  signals: [...supportSignals],
  guidance: [...supportGuidance],
  lists: toLists({ ...sharedPhrases, ...supportPhrases }),
}

function toLists(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, phrases]) => [name, [...phrases]]))
}

export const supportCalls: Rubric = rubric.parse(supportCallsInput)
