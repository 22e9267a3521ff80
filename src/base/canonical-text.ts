/** Begins texts that stand for what is no text in JSON; one of somebody's that begins so gets another. */
const MARK = '\0'

/** Stand ahead of the entries of what is no list: they are looked at like these, and a text there would be taken for one of somebody's. */
const MAP = Object.freeze({})
const SET = Object.freeze({})

/**
 * Text that stands for a value: the same for the same value, another for any other, as JSON but for what JSON does not tell apart. The
 * serialization of `node:v8` is none: it tells a whole number that is held as a double from one that is not, and how a number is held
 * changes while code is compiled.
 * @throws TypeError for a function or a symbol
 */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, replaced)
}

/** What stands for a value within its holder, before anything has become JSON of it. */
function replaced(this: unknown, key: string): unknown {
  const value = (this as Readonly<Record<string, unknown>>)[key]
  switch (typeof value) {
    case 'string':
      return value.startsWith(MARK) ? MARK + value : value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : `${MARK}number ${Object.is(value, -0) ? '-0' : value}`
    case 'bigint':
      return `${MARK}bigint ${value}`
    case 'undefined':
      // Within an object it is as if it were not there.
      return Array.isArray(this) ? `${MARK}undefined` : undefined
    case 'function':
    case 'symbol':
      throw new TypeError(`Nothing stands for a ${typeof value}`)
    default:
      if (value === MAP) return `${MARK}map`
      if (value === SET) return `${MARK}set`
      if (value instanceof Date) return `${MARK}date ${value.getTime()}`
      if (value instanceof Map) return [MAP, ...value]
      return value instanceof Set ? [SET, ...value] : value
  }
}
