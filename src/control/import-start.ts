import { z } from 'zod'

const answer = z.object({ agents: z.array(z.tuple([z.string(), z.string()])), redact: z.boolean() })

/** What an import has to know of its project, from the answer of the route that tells it. */
export function importStart(answered: object): {
  /** Its agents: ids and names. */
  readonly agents: ReadonlyMap<string, string>
  /** Personal data is masked in all calls that come into it. */
  readonly redact: boolean
} {
  const { agents, redact } = answer.parse(answered)
  return { agents: new Map(agents), redact }
}
