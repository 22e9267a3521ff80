interface ExportReport {
  readonly project_id: string
  readonly file: string
  readonly calls: number
  readonly bytes: number
}

/** What an export came to, for a reader. */
export function exportLines({ project_id: project, file, calls, bytes }: ExportReport): string {
  return `${calls} calls of project ${project} (${bytes} bytes of NDJSON) are in ${file}.\n`
}
