/** The arguments of search_calls that stand in the address, by the names that it has for them. */
export const FILTER_NAMES = [
  'text',
  'agent_name',
  'team',
  'driver',
  'signal_key',
  'guide_key',
  'dimension',
  'rated_on',
  'direction',
  'lift_band',
  'min_trust',
  'max_trust',
  'capped',
  'min_score',
  'max_score',
  'below_score',
  'min_duration_s',
  'max_duration_s',
  'date_from',
  'date_to',
  'sort',
] as const
export type FilterName = (typeof FILTER_NAMES)[number]

/** What is asked for, as text: what each may be is the service's to say. */
export type Filters = { readonly [Name in FilterName]?: string | undefined }

/** The address of a list: what is asked for, and the columns it is shown in where somebody chose them. */
export type CallsSearch = Filters & { readonly columns?: string | undefined }

export function readFilters(search: Record<string, unknown>): CallsSearch {
  return Object.fromEntries(
    [...FILTER_NAMES, 'columns'].flatMap(name => {
      const value = search[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

/** Which arguments make up a pill: one, or the two ends of a range. */
export const PILLS = {
  agent_name: ['agent_name'],
  team: ['team'],
  driver: ['driver'],
  signal_key: ['signal_key'],
  guide_key: ['guide_key'],
  dimension: ['dimension'],
  rated_on: ['rated_on'],
  direction: ['direction'],
  lift_band: ['lift_band'],
  trust: ['min_trust', 'max_trust'],
  capped: ['capped'],
  score: ['min_score', 'max_score', 'below_score'],
  length: ['min_duration_s', 'max_duration_s'],
  dates: ['date_from', 'date_to'],
} as const satisfies Readonly<Record<string, readonly FilterName[]>>
export type PillName = keyof typeof PILLS
export const PILL_NAMES = Object.keys(PILLS) as readonly PillName[]

/** The filters without those of a pill. */
export function without(filters: Filters, pill: PillName): Filters {
  const names: readonly FilterName[] = PILLS[pill]
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.some(one => one === name)))
}

export function isSet(filters: Filters, pill: PillName): boolean {
  return PILLS[pill].some(name => filters[name] !== undefined)
}
