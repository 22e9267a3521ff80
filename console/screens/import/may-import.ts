import type { Answer } from '../../client/questions.js'

/** Whether the key may add calls: as POST /api/v1/transcripts asks for. */
export function mayImport({ scope }: Pick<Answer<'get_project_context'>, 'scope'>): boolean {
  return scope.full_project && scope.roles.some(role => role === 'Admin' || role === 'SuperAdmin')
}
