import type { Answer } from '../../client/questions.js'

type Finding = NonNullable<Answer<'get_agent_performance'>['agents'][number]['guidance']>[number]
type Guide = Answer<'search_guidance'>['items'][number]

/** Habits of a kind that are listed. */
const MOST = 4
/** Standard errors within which a difference may be chance, as get_agent_performance says. */
export const CHANCE = 3

/**
 * What an agent does of a kind, furthest above others first; where nobody is beside, most frequent first. What is less often than
 * with others, beyond chance, is no habit of theirs.
 */
export function habitsOf(
  findings: readonly Finding[],
  guides: ReadonlyMap<string, Pick<Guide, 'guidance_kind'>>,
  kind: 'excellence' | 'opportunity',
): readonly Finding[] {
  return findings
    .filter(one => one.calls > 0 && (one.z ?? 0) > -CHANCE && guides.get(one.key)?.guidance_kind === kind)
    .toSorted((a, b) => (b.z ?? 0) - (a.z ?? 0) || b.share - a.share)
    .slice(0, MOST)
}
