/** The example's documents as a table of typed columns, so that the compiler can say what of it runs in the engine. */
export function exampleSource(documents) {
  const names = [...new Set(documents.flatMap(document => Object.keys(document)))]
  return {
    table: 'example',
    projectColumn: 'project',
    agentColumn: 'agent',
    startColumn: 'agent',
    columns: names.map((name, i) => {
      const values = documents.filter(document => Object.hasOwn(document, name)).map(document => document[name])
      return {
        name,
        sql: `c${i}`,
        type: typeOf(values),
        required: values.length === documents.length,
        withoutText: 'same',
      }
    }),
    derived: [],
    order: ['rowid'],
    lookup: () => ({ kind: 'fragment', texts: ['true'], values: [], size: 4, depth: 1 }),
  }
}

const isDate = value => typeof value === 'object' && value !== null && '$date' in value
const isDocument = value => typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)

function typeOf(values) {
  const all = test => values.length > 0 && values.every(test)
  if (all(value => typeof value === 'string')) return { kind: 'string' }
  if (all(value => typeof value === 'boolean')) return { kind: 'bool' }
  if (all(Number.isInteger)) return { kind: 'int' }
  if (all(value => typeof value === 'number')) return { kind: 'double' }
  if (all(isDate)) return { kind: 'date' }
  if (all(Array.isArray))
    return { kind: 'list', of: values.flat().length === 0 ? { kind: 'string' } : typeOf(values.flat()) }
  if (!all(isDocument)) return { kind: 'open' }
  const names = [...new Set(values.flatMap(value => Object.keys(value)))]
  const fields = names.map(name => [
    name,
    typeOf(values.filter(value => Object.hasOwn(value, name)).map(value => value[name])),
  ])
  return { kind: 'struct', fields: new Map(fields) }
}
