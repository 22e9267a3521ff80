import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../app/queries.js'

/** Where what only administrators of the session's project see of it is. */
export function useProjectPath(): string {
  const { data } = useQuery(sessionQuery)
  return `/projects/${encodeURIComponent(data?.project_id ?? '')}`
}
