import type { Param } from './compiled-query.js'

/**
 * A piece of SQL with its values. Text comes only from our own source (template literals and quoted identifiers of our
 * own columns); every value of a caller is a parameter. There is no way to make text from a caller's string.
 */
export interface Fragment {
  readonly kind: 'fragment'
  readonly texts: readonly string[]
  readonly values: readonly (Fragment | Value)[]
}

/** A value to be bound, wrapped so that a fragment and a value can't be confused. */
interface Value {
  readonly kind: 'value'
  readonly param: Param
  /** SQL type the parameter is cast to; DuckDB can't always infer it. */
  readonly cast: SqlTypeName
}

/** The types parameters are cast to. */
export type SqlTypeName = 'VARCHAR' | 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'TIMESTAMP' | 'VARCHAR[]'

export function sql(texts: TemplateStringsArray, ...values: readonly (Fragment | Value)[]): Fragment {
  return { kind: 'fragment', texts, values }
}

/** A value as a parameter. */
export function bind(param: Param, cast: SqlTypeName): Value {
  return { kind: 'value', param, cast }
}

/** A quoted identifier. */
export function identifier(name: string): Fragment {
  return { kind: 'fragment', texts: [`"${name.replaceAll('"', '""')}"`], values: [] }
}

/** SQL of our own that is not a literal in the source, such as a column expression of the store. Never a caller's text. */
export function trusted(text: string): Fragment {
  return { kind: 'fragment', texts: [text], values: [] }
}

/** Fragments with a separator between them. */
export function join(
  fragments: readonly Fragment[],
  separator: ', ' | ' and ' | ' or ' | ' || ' | ' + ' | '\n',
): Fragment {
  if (fragments.length === 0) return sql``
  return { kind: 'fragment', texts: ['', ...fragments.slice(1).map(() => separator), ''], values: fragments }
}

/** The text with numbered placeholders and the parameters in their order. */
export function render(fragment: Fragment): { readonly text: string; readonly params: readonly Param[] } {
  const params: Param[] = []
  const write = (part: Fragment): string =>
    part.texts
      .map((text, i) => {
        const value = part.values[i]
        if (value === undefined) return text
        if (value.kind === 'fragment') return text + write(value)
        params.push(value.param)
        return `${text}$${params.length}::${value.cast}`
      })
      .join('')
  return { text: write(fragment), params }
}
