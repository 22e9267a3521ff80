import { reportWithoutCalls } from './change-report-text.js'

/**
 * The text of a report without the ids of some calls; undefined when it is not as it was written. In JSON they are
 * the values of `example_session_ids`, wherever these stand.
 */
export function withoutCalls(name: string, text: string, sessionIds: ReadonlySet<string>): string | undefined {
  if (!name.endsWith('.json')) return reportWithoutCalls(text, sessionIds)
  try {
    const report: unknown = JSON.parse(text, (key, value: unknown) =>
      key === 'example_session_ids' && Array.isArray(value)
        ? value.filter(id => typeof id !== 'string' || !sessionIds.has(id))
        : value,
    )
    return `${JSON.stringify(report, undefined, 2)}\n`
  } catch {
    return undefined
  }
}
