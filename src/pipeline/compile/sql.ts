/**
 * A piece of SQL with its values. Text comes only from our own source (template literals and quoted identifiers of our
 * own columns); every value of a caller is a parameter. There is no way to make text from a caller's string.
 */
export interface Fragment {
  readonly kind: 'fragment'
  readonly texts: readonly string[]
  readonly values: readonly (Fragment | Value)[]
  /** Length of its text. Fragments are shared, so that a few of them nested may stand for gigabytes. */
  readonly size: number
  /** How deep fragments are nested in it. */
  readonly depth: number
  /** The step, or the output of a step, that it names: see Steps. */
  readonly names?: string
  /** It is a field of the output of a step: see fieldOf. */
  readonly isField?: true
  /** It is one fragment where a condition holds, else NULL. */
  readonly guarded?: { readonly when: Fragment; readonly value: Fragment }
  /** It is a name that belongs to it alone; the number is given when the statement is written. */
  readonly local?: true
}

/** The longest statement: what would be longer is evaluated. */
export const MOST_TEXT = 1_000_000

/** A value bound to a statement; never spliced into its text. */
export type Param = string | number | bigint | boolean | null | Date | readonly string[]

/** A value to be bound, wrapped so that a fragment and a value can't be confused. */
interface Value {
  readonly kind: 'value'
  readonly param: Param
  /** SQL type the parameter is cast to; DuckDB can't always infer it. */
  readonly cast: SqlTypeName
}

/** The types parameters are cast to. */
export type SqlTypeName = 'VARCHAR' | 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'TIMESTAMP' | 'VARCHAR[]' | 'JSON'

/** Room for a parameter: its number and its cast. */
const PARAMETER_SIZE = 14

function fragment(texts: readonly string[], values: readonly (Fragment | Value)[]): Fragment {
  let size = 0
  let depth = 0
  for (const text of texts) size += text.length
  for (const value of values) {
    size += value.kind === 'fragment' ? value.size : PARAMETER_SIZE
    if (value.kind === 'fragment') depth = Math.max(depth, value.depth)
  }
  return { kind: 'fragment', texts, values, size, depth: depth + 1 }
}

export function sql(texts: TemplateStringsArray, ...values: readonly (Fragment | Value)[]): Fragment {
  return fragment(texts, values)
}

/** The fragment where the condition holds, else NULL. */
export function guarded(when: Fragment, value: Fragment): Fragment {
  return { ...sql`(case when ${when} then ${value} end)`, guarded: { when, value } }
}

/** A value as a parameter. */
export function bind(param: Param, cast: SqlTypeName): Value {
  return { kind: 'value', param, cast }
}

/** Whether it is nothing but `false`: what types rule out needs no look at the values. */
export function isFalse({ texts, values }: Fragment): boolean {
  return values.length === 0 && texts.length === 1 && texts[0] === 'false'
}

/** A quoted identifier. */
export function identifier(name: string): Fragment {
  return fragment([`"${name.replaceAll('"', '""')}"`], [])
}

const NONE: readonly never[] = []

/** The name of a step, or of an output of it: what is named nowhere need not be computed. */
export function reference(step: string, output?: string): Fragment {
  const text = output === undefined ? `"${step}"` : `"${step}"."${output}"`
  const names = output === undefined ? step : `${step}.${output}`
  // Made for every column of every step: written out, it takes a third of the time.
  return { kind: 'fragment', texts: [text], values: NONE, size: text.length, depth: 1, names }
}

/** Whether it is the name of a step's output, or of a field of one, and nothing else. */
export function isReference({ names, values, isField }: Fragment): boolean {
  return isField === true || (names !== undefined && values.length === 0)
}

/** A field of a document. */
export function fieldOf(struct: Fragment, name: string): Fragment {
  const field = fragment(['(', ').', ''], [struct, identifier(name)])
  return isReference(struct) ? { ...field, isField: true } : field
}

/**
 * A name that no other fragment of a statement has. Numbered in the order of the text, so that the same question makes
 * the same text each time: the engine keeps what it has prepared by its text.
 */
export function local(prefix: string): Fragment {
  return { ...fragment([`"${prefix}000"`], []), local: true, texts: [prefix] }
}

/** Adds every name that a fragment mentions; fragments are shared, each is looked at once. */
export function collectNames(part: Fragment, into: Set<string>, seen: Set<Fragment>): void {
  if (seen.has(part)) return
  seen.add(part)
  if (part.names !== undefined) into.add(part.names)
  for (const value of part.values) if (value.kind === 'fragment') collectNames(value, into, seen)
}

/** SQL of our own that is not a literal in the source, such as a column expression of the store. Never a caller's text. */
export function trusted(text: string): Fragment {
  return fragment([text], [])
}

/** Fragments with a separator between them. */
export function join(
  fragments: readonly Fragment[],
  separator: ', ' | ' and ' | ' or ' | ' || ' | ' union all ' | ' + ' | ' ' | '\n',
): Fragment {
  if (fragments.length === 0) return sql``
  return fragment(['', ...fragments.slice(1).map(() => separator), ''], fragments)
}

/** Fragments one after the other. */
export function concat(fragments: readonly Fragment[]): Fragment {
  return fragment(['', ...fragments.map(() => '')], fragments)
}

/**
 * The text with numbered placeholders and the parameters in their order. A fragment used in two places binds its values
 * once, so that the engine sees that both compute the same.
 */
export function render(fragment: Fragment): { readonly text: string; readonly params: readonly Param[] } {
  const params: Param[] = []
  const numbers = new Map<Value, number>()
  const locals = new Map<Fragment, string>()
  const nameOf = (part: Fragment): string => {
    const name = locals.get(part) ?? `"${part.texts[0]}${locals.size}"`
    locals.set(part, name)
    return name
  }
  const write = (part: Fragment): string => (part.local === true ? nameOf(part) : textOf(part))
  const textOf = (part: Fragment): string =>
    part.texts
      .map((text, i) => {
        const value = part.values[i]
        if (value === undefined) return text
        if (value.kind === 'fragment') return text + write(value)
        const number = numbers.get(value) ?? params.push(value.param)
        numbers.set(value, number)
        return `${text}$${number}::${value.cast}`
      })
      .join('')
  return { text: write(fragment), params }
}
