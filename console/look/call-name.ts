import type { Detail } from '../screens/call/detail.js'

/** What a call is called: its title, or why the customer called with what they said; undefined where neither is known. As in lists. */
export function callName({ metadata, signals }: Pick<Detail, 'metadata' | 'signals'>): string | undefined {
  const { title, interaction_driver: driver } = metadata
  if (title !== undefined) return title
  const said = signals.find(({ key }) => key === 'sig.reason_captured')?.evidence?.[0]?.quote
  return driver === undefined || said === undefined ? driver : `${driver}: “${said}”`
}
