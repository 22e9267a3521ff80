import type { Written } from './write-export.js'

interface ExportReport extends Omit<Written, 'unreadable'> {
  readonly project_id: string
  readonly file: string
}

/** What an export came to, for a reader. */
export function exportLines({ project_id: project, file, calls, entries, bytes }: ExportReport): string {
  return `${calls} calls of project ${project} and ${entries} ${entries === 1 ? 'entry' : 'entries'} of what else belongs to it are in ${file} (${bytes} bytes of NDJSON).\n`
}
