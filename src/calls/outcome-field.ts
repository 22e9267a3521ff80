import { z } from 'zod'
import { isUnprintable } from '../base/text.js'

/** What outcome lift explains where a project names no field of its own. */
export const PREDICTED_CSAT = 'predicted_csat'

/** Prefix of a field of session_metadata, as in `metadata.survey>=4`. */
const METADATA = 'metadata.'
const SPELLED = /^(?<field>[^<>=]{1,100}?)\s*(?:(?<comparison>>=|<=|=)\s*(?<bound>[^<>=]{1,100}))?$/u

const RULE =
  'must be a field of session_metadata that is true or false, such as resolved, or one with what counts as positive: survey>=4, effort<=2, status=solved, reopened=false; or predicted_csat'

/** A field of session_metadata that says how a call came out, and which of its values count as positive. */
export interface OutcomeField {
  readonly field: string
  /** True, false or undefined: of a value that says neither. */
  isPositive(value: unknown): boolean | undefined
}

/** The setting as it is kept and told: `predicted_csat`, or `metadata.` with the field and what counts as positive. */
export const outcomeSetting = z
  .string()
  .trim()
  .max(220)
  .transform((text, context) => {
    if (text === PREDICTED_CSAT) return text
    const bare = text.startsWith(METADATA) ? text.slice(METADATA.length) : text
    const { field, comparison = '', bound = '' } = SPELLED.exec(bare)?.groups ?? {}
    const isNumber = comparison === '' || comparison === '=' || asNumber(bound) !== undefined
    if (field === undefined || !isNumber || isUnprintable(bare)) {
      context.issues.push({ code: 'custom', message: RULE, input: text })
      return z.NEVER
    }
    return `${METADATA}${field}${comparison}${bound}`
  })

/** What a setting means; undefined for predicted_csat. @param setting as `outcomeSetting` gives it */
export function outcomeField(setting: string | undefined): OutcomeField | undefined {
  const {
    field,
    comparison,
    bound = '',
  } = SPELLED.exec((setting ?? PREDICTED_CSAT).slice(METADATA.length))?.groups ?? {}
  if (setting === undefined || setting === PREDICTED_CSAT || field === undefined) return undefined
  return { field, isPositive: value => isPositive(value, comparison, bound) }
}

function isPositive(value: unknown, comparison: string | undefined, bound: string): boolean | undefined {
  if (comparison === undefined) return asTruth(value)
  if (comparison === '=') return asText(value) === undefined ? undefined : asText(value) === asText(bound)
  const [number, limit] = [asNumber(value), asNumber(bound)]
  if (number === undefined || limit === undefined) return undefined
  return comparison === '>=' ? number >= limit : number <= limit
}

/** Tables bring numbers and truths as texts. */
function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

function asTruth(value: unknown): boolean | undefined {
  return TRUTHS.get(asText(value) ?? '')
}

function asText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value).trim().toLowerCase()
  return text === '' ? undefined : text
}
