import { QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { ask, Refusal, Unreachable } from '../client/ask.js'
import type { Answer, Args, QuestionName } from '../client/questions.js'
import { currentSession } from '../client/session.js'

const UNAUTHENTICATED = 401
/** Answers younger than this are not asked for again when a screen is opened anew. */
const FRESH_MS = 30_000
const MOST_TRIES = 2

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A key that was revoked, a session that ended: whatever is shown was of it.
    onError: (error, query) => {
      if (!isSignedOut(error) || query.queryKey[0] === 'session') return
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  }),
  defaultOptions: {
    // A browser without a network still reaches a service on its own machine, and whoever can't reach one is to be told so.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // What was refused is refused again; what did not arrive may.
      retry: (failures, error) => error instanceof Unreachable && failures < MOST_TRIES,
    },
  },
})

export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === UNAUTHENTICATED
}

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => currentSession(signal),
  staleTime: Infinity,
})

/** A question with its arguments: asked once, whoever on the page wants the answer. */
export function asking<Name extends QuestionName>(name: Name, args: Args<Name>) {
  return queryOptions<Answer<Name>>({ queryKey: [name, args], queryFn: ({ signal }) => ask(name, args, signal) })
}

/** Whether the key may do more than ask; undefined until that is known. */
export function useMay(what: Answer<'explain_my_scope'>['may'][number], enabled = true): boolean | undefined {
  const { data } = useQuery({ ...asking('explain_my_scope', {}), enabled })
  return data?.may.includes(what)
}

/** What there is to ask about; there once the frame is. */
export function useContextAnswer(): Answer<'get_project_context'> {
  const { data } = useQuery(asking('get_project_context', {}))
  if (data === undefined) throw new Error('A screen was shown without its project')
  return data
}
