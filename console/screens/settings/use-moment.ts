import { useContextAnswer } from '../../app/queries.js'
import { fullMoment, moment } from '../../look/format.js'

/** An instant in the project's zone, in brief: 21 Nov, 15:41. */
export function useMoment(): (iso: string | undefined) => string {
  const { project } = useContextAnswer()
  return iso => moment(iso, project.timezone)
}

/** The same with its year, its weekday and the zone: of what ends at a time. */
export function useZonedMoment(): (iso: string) => string {
  const { project } = useContextAnswer()
  return iso => `${fullMoment(iso, project.timezone)} (${project.timezone})`
}
