import { useMutation } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { currentSession } from '../client/session.js'
import { ErrorNote } from '../look/notes.js'

/** In place of a screen that could not be loaded, or failed. It is loaded anew where the service answers: what is there stays until then. */
export function Broken({ error }: ErrorComponentProps) {
  const loading = useMutation({ mutationFn: () => currentSession(), onSuccess: () => location.reload() })
  return <ErrorNote error={loading.error ?? error} retry={() => loading.mutate()} />
}
