import type { ProjectRecord } from '../../store/records.js'

/** A project for a reader. */
export function projectLines(project: ProjectRecord): string {
  const verticals = project.verticals.length === 0 ? 'all' : project.verticals.join(', ')
  return [
    `Project    ${project.project_id}`,
    `Name       ${project.name}`,
    `Time zone  ${project.timezone}`,
    `Verticals  ${verticals}`,
    `Redact     ${project.redact === true ? 'on: personal data is masked in calls that come in' : 'off'}`,
    `Created    ${project.created_at}`,
    '',
  ].join('\n')
}
