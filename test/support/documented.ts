import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** What the tests read of the API's description. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, { schema: object }>> }>
  >
}

interface Answer {
  readonly status: number
  /** Its media type, without parameters. */
  readonly type: string
  readonly text: string
}

// Formats are only hints, and our own keywords none.
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** The same schema is compiled once, for all listeners of a process, and written as text once for each. */
const validators = new Map<string, ValidateFunction>()
const found = new WeakMap<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const known = found.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? ajv.compile(schema)
  validators.set(text, validate)
  found.set(schema, validate)
  return validate
}

function matcher(template: string): RegExp {
  const escaped = template.split(/\{\w+\}/).map(part => part.replaceAll(/[.\\+*?^$()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${escaped.join('[^/]+')}$`)
}

/** Holds answers against the description of the API. */
export class Documented {
  readonly #description: Description
  readonly #error: object
  readonly #matchers: readonly { readonly path: string; readonly matches: RegExp }[]

  constructor(description: Description) {
    this.#description = description
    this.#error = { $ref: '#/components/schemas/Error', components: description.components }
    this.#matchers = Object.keys(description.paths)
      // What is written out comes before a variable.
      .toSorted((a, b) => a.split('{').length - b.split('{').length)
      .map(path => ({ path, matches: matcher(path) }))
  }

  /** What is wrong with an answer, by what is documented of the operation that was asked; undefined for what is none. */
  faultOf(method: string, url: string, answer: Answer): string | undefined {
    const asked = url.split('?', 1)[0] ?? ''
    const path = this.#matchers.find(({ matches }) => matches.test(asked))?.path
    const operation = path === undefined ? undefined : this.#description.paths[path]?.[method.toLowerCase()]
    if (path === undefined || operation === undefined) return undefined
    return this.#faultOf(`${method} ${path} ${answer.status}`, operation, answer)
  }

  #faultOf(name: string, { responses }: Operation, { status, type, text }: Answer): string | undefined {
    const documented = responses[status]
    if (documented === undefined) return `${name} is not documented: ${text}`
    const own = documented.content?.[type]
    // Of lines and of tables JSON Schema says no more than that they are text.
    if (own !== undefined && type !== 'application/json') return undefined
    const schema = documented.$ref === undefined ? own?.schema : this.#error
    if (schema === undefined && documented.content !== undefined) return `${name} is not documented as ${type}`
    if (schema === undefined) return text !== '' && [204, 304].includes(status) ? `${name} has a body` : undefined
    const validate = validatorOf(schema)
    return validate(JSON.parse(text)) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`
  }
}
