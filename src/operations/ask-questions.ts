import { z } from 'zod'
import type { Question } from '../questions/question.js'
import { questions, type Tool } from '../questions/questions.js'
import { restQuestions } from '../questions/rest-questions.js'
import { type Operation, operation, type Received, variablesOf } from './operation.js'

/** An operation that asks a question: what it takes is checked when it is asked, what it answers is known by its type. */
type Asking<Output> = Operation<string, 'caller', z.ZodType, z.ZodType, z.ZodType<Output>>

/** The operation of a question. @throws TypeError for one that does not say how it is asked over REST */
function asked(question: Question): Asking<unknown> {
  const { rest, title, description, input, output } = question
  if (rest === undefined) throw new TypeError(`${question.name} has no route`)
  const { url, takes = 'query', summary = title, table, example } = rest
  const common = {
    url,
    access: 'caller',
    // An asker has no way to a text that its scope hides.
    textFree: true,
    question,
    summary,
    description,
    answer: output,
    ...(table === undefined ? {} : { table }),
    ...(example === undefined ? {} : { example: { [takes]: example } }),
  } as const
  if (takes === 'body') {
    return operation({
      ...common,
      method: 'POST',
      body: input,
      run: ({ answering }, request, caller) => answering.answer(question, caller, request.body(), request),
    })
  }
  const inPath = variablesOf(rest)
  return operation({
    ...common,
    method: 'GET',
    query: without(input, inPath),
    etag: rest.etag ?? true,
    run: async ({ answering }, request: Received, caller) => {
      const variables = Object.fromEntries(inPath.map(name => [name, request.param(name as never)]))
      const ask = (query: object) => answering.answer(question, caller, { ...query, ...variables }, request)
      const decides = inPath.length > 0 || question.roles !== undefined
      return await ask(await queryOf(request, () => (decides ? ask({}) : Promise.resolve())))
    },
  })
}

/**
 * The query, once what the path names has been found and the caller may ask: what is not there, and what a role keeps, come
 * before what is written wrong.
 */
async function queryOf(request: Pick<Received, 'query'>, find: () => Promise<unknown>): Promise<object> {
  try {
    return request.query() as object
  } catch (error) {
    await find()
    throw error
  }
}

/** The arguments that are no part of the path. */
function without(schema: z.ZodType, names: readonly string[]): z.ZodType {
  if (names.length === 0) return schema
  if (!(schema instanceof z.ZodObject)) throw new TypeError('A question with path variables takes no object')
  const rest = Object.entries<z.ZodType>(schema.shape).filter(([name]) => !names.includes(name))
  return z.strictObject(Object.fromEntries(rest))
}

type ToolOperations = { readonly [T in Tool as T['name']]: Asking<z.output<T['output']>> }

/** What the tools answer, with the same arguments and the same answers, by the name of the tool. */
export const toolOperations = Object.fromEntries(
  questions.map(question => [question.name, asked(question)]),
) as unknown as ToolOperations

type RestQuestions = typeof restQuestions

/** What programs and commands ask that is no tool. */
export const restOperations = Object.fromEntries(
  Object.entries<Question>(restQuestions).map(([name, one]) => [name, asked(one)]),
) as unknown as { readonly [Name in keyof RestQuestions]: Asking<z.output<RestQuestions[Name]['output']>> }

/** Questions about calls, asked by an application key or about an administrator's project: those of programs, and of the tools. */
export const questionOperations: readonly Operation[] = [
  ...Object.values<Operation>(restOperations),
  ...Object.values<Operation>(toolOperations),
]
