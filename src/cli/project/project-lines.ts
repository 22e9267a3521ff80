import type { EvaluationSetting, ProjectRecord } from '../../store/records/project.js'

const evaluated: Readonly<Record<EvaluationSetting, string>> = {
  rules: 'by rules, as calls come in',
  model: 'by a model, in runs of "earshot evaluate" or a task',
  imported: 'none: calls stay as they come in',
}

/** A project for a reader. */
export function projectLines(project: ProjectRecord): string {
  const verticals = project.verticals.length === 0 ? 'all' : project.verticals.join(', ')
  return [
    `Project    ${project.project_id}`,
    `Name       ${project.name}`,
    `Time zone  ${project.timezone}`,
    `Verticals  ${verticals}`,
    `Redact     ${project.redact === true ? 'on: personal data is masked in calls and feedback that come in' : 'off'}`,
    `Evaluation ${evaluated[project.evaluation ?? 'rules']}`,
    `Created    ${project.created_at}`,
    '',
  ].join('\n')
}
