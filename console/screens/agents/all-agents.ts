/** The most that a page lists: ten questions, and as many rows as a browser lays out at once. */
const MOST_AGENTS = 2_000

interface Page {
  readonly agents: readonly unknown[]
  readonly next_cursor?: string | undefined
}

/** The first page with the agents of all, as far as one can list them. @param page asks for the one that begins at a cursor */
export async function allAgents<P extends Page>(page: (cursor?: string) => Promise<P>): Promise<P> {
  const first = await page()
  const agents = [...first.agents]
  let next = first.next_cursor
  while (next !== undefined && agents.length < MOST_AGENTS) {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next begins
    const more = await page(next)
    agents.push(...more.agents)
    next = more.next_cursor
  }
  return { ...first, agents }
}
