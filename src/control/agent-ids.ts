import { z } from 'zod'

const answer = z.object({ agents: z.array(z.tuple([z.string(), z.string()])) })

/** The agents of a project, from the answer of the route that tells them. */
export function agentIds(answered: object): ReadonlyMap<string, string> {
  return new Map(answer.parse(answered).agents)
}
