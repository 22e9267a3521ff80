import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads ISO 8601',
    expression: { $dateFromString: { dateString: '2026-03-07T17:08:09.045Z' } },
    result: { $date: '2026-03-07T17:08:09.045Z' },
  },
  {
    name: 'reads a date alone',
    expression: { $dateFromString: { dateString: '2026-03-07' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads a blank between date and time',
    expression: { $dateFromString: { dateString: '2026-03-07 17:08' } },
    result: { $date: '2026-03-07T17:08:00.000Z' },
  },
  {
    name: 'reads offsets',
    expression: { $dateFromString: { dateString: '2026-03-07T17:08:09+0530' } },
    result: { $date: '2026-03-07T11:38:09.000Z' },
  },
  {
    name: 'reads local time',
    expression: { $dateFromString: { dateString: '2026-07-01T00:00', timezone: 'Europe/Berlin' } },
    result: { $date: '2026-06-30T22:00:00.000Z' },
  },
  {
    name: 'refuses an offset beside a zone',
    expression: { $dateFromString: { dateString: '2026-07-01T00:00Z', timezone: 'Europe/Berlin' } },
    error: '$dateFromString can not read this value as a date',
  },
  {
    name: 'reads by a format',
    expression: { $dateFromString: { dateString: '07.03.2026 17h', format: '%d.%m.%Y %Hh' } },
    result: { $date: '2026-03-07T17:00:00.000Z' },
  },
  {
    name: 'reads names of months',
    expression: { $dateFromString: { dateString: '7 March 2026', format: '%d %B %Y' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads ISO weeks',
    expression: { $dateFromString: { dateString: '2026-W10-6', format: '%G-W%V-%u' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads the day of the year',
    expression: { $dateFromString: { dateString: '2026/066', format: '%Y/%j' } },
    result: { $date: '2026-03-07T00:00:00.000Z' },
  },
  {
    name: 'reads offsets by a format',
    expression: { $dateFromString: { dateString: '2026-03-07 00:00 +01:00', format: '%Y-%m-%d %H:%M %z' } },
    result: { $date: '2026-03-06T23:00:00.000Z' },
  },
  {
    name: 'refuses what the format does not fit',
    expression: { $dateFromString: { dateString: '2026', format: '%Y-%m' } },
    error: '$dateFromString can not read this value',
  },
  {
    name: 'refuses a day that does not exist',
    expression: { $dateFromString: { dateString: '2026-02-30' } },
    error: '$dateFromString can not read this value',
  },
  {
    name: 'refuses words, which it does not tell',
    expression: { $dateFromString: { dateString: '$a' } },
    document: { a: 'secret' },
    error: /as a date$/,
  },
  {
    name: 'gives onError',
    expression: { $dateFromString: { dateString: 'soon', onError: 'unknown' } },
    result: 'unknown',
  },
  { name: 'gives onNull', expression: { $dateFromString: { dateString: null, onNull: 'none' } }, result: 'none' },
  { name: 'is null for missing', expression: { $dateFromString: { dateString: '$nothing' } }, result: null },
  {
    name: 'refuses a bad format',
    expression: { $dateFromString: { dateString: '2026', format: '%y' } },
    error: '$dateFromString takes a format of',
  },
  {
    name: 'refuses a bad zone',
    expression: { $dateFromString: { dateString: '2026-03-07', timezone: 'No/Where' } },
    error: 'neither an Olson name nor an offset',
  },
]
