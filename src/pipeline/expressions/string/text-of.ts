import { type Value, isNumeric } from '../../value.js'
import { wrongType } from '../wrong-type.js'
import { numberText } from './number-text.js'

/**
 * A value as the text operators that are lenient read it ($toLower, $substrCP, $strcasecmp): null and missing are the
 * empty text, numbers and dates their texts.
 */
export function textOf(operator: string, value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (isNumeric(value)) return numberText(value)
  if (value instanceof Date) return value.toISOString()
  throw wrongType(operator, 'strings, numbers and dates', value)
}
