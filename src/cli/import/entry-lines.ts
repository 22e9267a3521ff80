import type { EntriesTaken } from './take-entries.js'

/** What became of the entries of a project's export, for a reader; nothing where there were none. */
export function entryLines(taken: EntriesTaken | undefined): string {
  if (taken === undefined) return ''
  const { added, unchanged, secrets, unreadable = [] } = taken
  return [
    `${added} ${added === 1 ? 'entry' : 'entries'} of a project's export taken, ${unchanged} were there as they are.`,
    ...unreadable.map(({ version, reason }) => `Version ${version} of the rubric was taken as it was set. ${reason}`),
    ...secrets.map(({ url, secret }) => `${url} is signed with\n\n${secret}\n\nThis is the only time it is shown.`),
    '',
  ].join('\n')
}
